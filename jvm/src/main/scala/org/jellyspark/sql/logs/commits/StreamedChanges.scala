package org.jellyspark.sql.logs.commits

import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.types.{NullType, StringType, StructType}

import org.jellyspark.OptionException
import org.jellyspark.source.RowSchema
import org.jellyspark.sql.logs.StatementChanges

/** What the rows of a micro-batch say of a log. They are of one of these kinds:
  *
  *   - statements to add;
  *   - rows of patches, with `op`. `log_seq` orders the patches, and `seq` the rows of a patch;
  *     with `log_seq` and `tx`, the changes of aborted transactions do not count;
  *   - changes as Spark's change data capture has them, with `_change_type`, which
  *     `_commit_version` orders.
  */
private[commits] object StreamedChanges {
  import LogCommits.{Added, Flag, Unwanted}
  import StatementChanges.Statement

  /** The columns that order changes, of which the second one needs the first. */
  private val Order = Seq("log_seq", "seq")

  private val Known = Seq("A", "D", "H", "PA", "PD", "TX", "TC", "END")

  private val OfPatches = Seq("op", "name", "value", "patch", "tx", "log_seq", "seq")
  private val OfCapture = Seq("_change_type", "_commit_version", "_commit_timestamp")

  /** The columns that say what is done, of which rows of changes have one. */
  private val Kinds = Seq(OfPatches.head, OfCapture.head)

  /** Checks the columns of a stream, which are found by name.
    *
    * @throws org.jellyspark.OptionException
    *   if a column is missing, is there twice, is unknown or has another type, or if the mode is
    *   not `append`
    */
  def check(table: String, schema: StructType, isComplete: Boolean): Unit = {
    def refuse(expected: String, found: String): Nothing = throw new OptionException(
      s"a stream into $table $expected, found $found"
    )
    if (isComplete) refuse("has the output mode append", "complete")
    val names = namesOf(schema)
    val known = Statement ++ OfPatches ++ OfCapture
    val all =
      s"has the columns ${Statement.init.mkString(", ")} and, if wanted, graph; for changes " +
        s"also ${OfPatches.mkString(", ")}, or ${OfCapture.mkString(", ")}"
    names.diff(known).headOption.foreach(name => refuse(s"$all, each once", name))
    Statement.init.diff(names).headOption.foreach(name => refuse(all, s"no $name"))
    for {
      columns <- Seq(OfPatches, OfCapture) if !names.contains(columns.head)
      name <- columns.tail.find(names.contains)
    } refuse(s"with the column $name has the column ${columns.head}", "none")
    if (Kinds.forall(names.contains)) refuse(s"has the column ${Kinds.mkString(" or ")}", "both")
    val texts = Statement ++ Kinds
    schema.zip(names).foreach { case (field, name) =>
      if (texts.contains(name) && field.dataType != StringType || field.dataType == NullType) {
        refuse(
          s"has strings in ${texts.mkString(", ")}",
          s"the type ${field.dataType.sql} of $name"
        )
      }
    }
  }

  /** Whether rows are changes, not statements. */
  def areIn(schema: StructType): Boolean =
    namesOf(schema).exists(Kinds.contains)

  private def namesOf(schema: StructType): Seq[String] =
    schema.fieldNames.toSeq.map(RowSchema.canonical)

  /** Returns statements, with the names of the columns as they are known, and with graphs. */
  def statements(rows: DataFrame): DataFrame =
    LogCommits.withGraph(rows.toDF(namesOf(rows.schema): _*))

  /** Returns the last change of each statement: its columns, and the flag [[LogCommits.Added]] or
    * [[LogCommits.Unwanted]]. The query fails if a row is no change, or if a statement is both
    * added and deleted and the rows have no order.
    */
  def last(rows: DataFrame): DataFrame = {
    val all = statements(rows)
    val changes =
      if (all.columns.contains("op")) ofPatches(all)
      else all.withColumnRenamed("_commit_version", "log_seq").withColumn("op", expr(OfType))
    val order = Order.takeWhile(changes.columns.contains)
    def greatest(sign: String) =
      s"max(struct(${(order :+ s"${sign}added AS added").mkString(", ")})).added"
    changes
      .withColumn("added", expr("IF(op = 'A', 1, 0)"))
      .groupBy(Statement.map(col): _*)
      .agg(expr(greatest("")).as("most"), expr(greatest("-")).as("negated_least"))
      .selectExpr(
        Statement :+ s"CASE WHEN most <> -negated_least THEN raise_error(concat('$Contradiction', " +
          s"to_json(struct(${Statement.mkString(", ")})))) WHEN most = 1 THEN $Added ELSE $Unwanted " +
          s"END AS $Flag": _*
      )
  }

  private def ofPatches(rows: DataFrame): DataFrame = {
    val hasTransactions = Seq("log_seq", "tx").forall(rows.columns.contains)
    val known = Known ++ Option.when(hasTransactions)("TA")
    val found =
      s"CASE WHEN op IN ('${known.mkString("', '")}') " +
        s"THEN op ELSE raise_error(concat('$UnknownOperation', to_json(struct(*)))) END"
    val checked =
      rows.selectExpr(rows.columns.filter(_ != "op").toIndexedSeq :+ s"$found AS op": _*)
    if (hasTransactions) StatementChanges.committed(checked)
    else StatementChanges.all(checked)
  }

  /** The operation of a row of change data capture. */
  private val OfType = "CASE WHEN _change_type IN ('insert', 'update_postimage') THEN 'A' " +
    "WHEN _change_type IN ('delete', 'update_preimage') THEN 'D' " +
    "ELSE raise_error(concat('_change_type must be insert, delete, update_preimage or " +
    "update_postimage; in row ', to_json(struct(*)))) END"

  private val UnknownOperation =
    s"op must be one of ${Known.mkString(", ")} and, with the columns tx and log_seq, TA; in row "

  private val Contradiction =
    "a micro-batch adds and deletes a statement, and no column says which " +
      "comes last: add log_seq, and seq for rows of patches; in "
}
