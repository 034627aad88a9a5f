package org.jellyspark.sql.logs

import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.functions.{broadcast, col, expr}

/** States and changes of statements, by the rules of `jelly_spark.algebra` in Python.
  *
  * Rows of patches have the columns of [[LogRows.schema]]. Changes are rows of patches whose `op`
  * is `A` or `D`, and that take effect.
  */
private[logs] object StatementChanges {

  /** The columns of a statement. */
  val Statement: Seq[String] = Seq("subject", "predicate", "object", "graph")

  private val Terms = Statement.mkString(", ")
  private val Hash = s"xxhash64($Terms) AS hash"

  /** The position of a row as one number, which orders rows by `log_seq` and `seq`. */
  private val Place =
    s"CAST(log_seq AS DECIMAL(19, 0)) * ${BigInt(1) << 63} + CAST(seq AS DECIMAL(19, 0))"

  private val Over = s"OVER (PARTITION BY hash, $Terms ORDER BY log_seq, seq)"

  /** Only the hash is a key of the join: a number is found faster than four strings. Comparing
    * structs, a null equals another.
    */
  private val IsChanged = {
    def statement(alias: String): String =
      Statement.map(alias + "." + _).mkString("struct(", ", ", ")")
    val (old, changed) = (statement("old"), statement("changed"))
    s"old.hash = changed.hash AND $old >= $changed AND $old <= $changed"
  }

  private val OpenTransaction =
    "a transaction must be closed by TC or TA before its patch ends; in row "

  /** Returns the changes among rows, if all transactions are committed. */
  def all(rows: DataFrame): DataFrame = rows.where("op IN ('A', 'D')")

  /** Returns the changes in committed transactions, and outside any transaction. The query fails if
    * a transaction is open.
    */
  def committed(rows: DataFrame): DataFrame = {
    // The outcomes are few: in one partition, grouping needs no hash shuffle.
    val outcomes = rows
      .where("op IN ('TX', 'TC', 'TA') AND tx IS NOT NULL")
      .select("log_seq", "tx", "op")
      .repartition(1)
      .groupBy("log_seq", "tx")
      .agg(
        expr("count_if(op = 'TX') AS begun"),
        expr("coalesce(max(CASE WHEN op <> 'TX' THEN op END), 'none') AS outcome")
      )
      .where("begun > 0")
      .select("log_seq", "tx", "outcome")
    // `op` depends on the outcome, so Spark cannot push a filter on it below the join.
    val row = rows.columns.filter(_ != "log_seq").mkString("struct(", ", ", ")")
    val op = "CASE WHEN outcome IS NULL OR outcome = 'TC' THEN op WHEN outcome = 'none' THEN " +
      s"raise_error(concat('$OpenTransaction', to_json($row))) END"
    val candidates = rows.where("op IN ('A', 'D', 'TX')")
    val joined = candidates.join(broadcast(outcomes), Seq("log_seq", "tx"), "left")
    all(joined.withColumn("op", expr(op))).select(rows.columns.map(col).toIndexedSeq: _*)
  }

  /** Returns the statements after changes: the last change of each statement decides.
    *
    * @param before
    *   the statements before them, each once
    */
  def after(before: Option[DataFrame], changes: DataFrame): DataFrame = {
    val places = Seq("A", "D").map(op => s"CASE op WHEN '$op' THEN $Place END AS $op")
    val statement = s"struct($Terms) AS statement"
    val changed = changes.selectExpr(statement +: places: _*)
    before
      .fold(changed)(state =>
        changed.unionByName(state.selectExpr(statement), allowMissingColumns = true)
      )
      .repartition(col("statement"))
      .groupBy("statement")
      .agg(expr("max(A) AS A"), expr("max(D) AS D"))
      .where("D IS NULL OR A > D")
      .select("statement.*")
  }

  /** Like [[after]], without shuffling the statements before. The changed statements are broadcast,
    * so they must fit in memory.
    */
  def afterFew(before: DataFrame, changes: DataFrame): DataFrame = {
    val old = before.selectExpr(Statement :+ Hash: _*).alias("old")
    val changed = changes.selectExpr(Statement :+ Hash: _*).alias("changed")
    old
      .join(broadcast(changed), expr(IsChanged), "left_anti")
      .select(Statement.map(col): _*)
      .unionByName(after(None, changes))
  }

  /** Returns the changes that added or removed a statement, at most one for each statement and
    * patch.
    *
    * @param before
    *   the statements before them, each once; they are returned as changes with a null `log_seq`
    */
  def transitions(before: Option[DataFrame], changes: DataFrame): DataFrame = {
    val columns = Seq("op", "log_seq", "seq")
    val rows = changes.select((Statement ++ columns).map(col): _*)
    before
      .fold(rows)(state =>
        rows.unionByName(state.selectExpr("*", "'A' AS op"), allowMissingColumns = true)
      )
      .repartition(Statement.map(col): _*)
      .selectExpr("*", Hash)
      // A struct, because the row after the last one is null, as the position of a state is.
      .selectExpr("*", s"NOT lead(struct(log_seq)) $Over <=> struct(log_seq) AS is_last")
      .where("is_last")
      .selectExpr("*", s"coalesce(lag(op) $Over = 'A', false) AS was_there")
      .where("(op = 'A') <> was_there")
      .selectExpr(Statement ++ columns :+ "hash": _*)
  }

  /** Returns the transitions after a state, which is read only where it can match. */
  def effects(before: Option[DataFrame], changes: DataFrame): DataFrame =
    transitions(before.map(touched(_, changes)), changes)
      .where("log_seq IS NOT NULL")
      .drop("hash")

  /** Returns the effects after which statements are there that were not before, or the other way
    * round: the last one of each such statement.
    */
  def net(effects: DataFrame): DataFrame = effects
    .repartition(Statement.map(col): _*)
    .selectExpr("*", Hash)
    .selectExpr("*", s"lead(op) $Over IS NULL AS is_last", s"first_value(op) $Over AS first_op")
    .where("is_last AND op = first_op")
    .drop("hash", "is_last", "first_op")

  /** Returns the intervals during which statements were present: the position of the patch that
    * added the statement, null if it was there before the changes; and of the one that removed it,
    * null if it is still there.
    */
  def intervals(before: Option[DataFrame], changes: DataFrame): DataFrame =
    transitions(before, changes)
      .selectExpr(
        Statement :+ "op" :+ "log_seq AS added_log_seq" :+
          s"lead(log_seq) $Over AS removed_log_seq": _*
      )
      .where("op = 'A'")
      .drop("op")

  /** The statements with the hash bucket of a changed one: all that changes touch, and a few more.
    * Only the buckets are broadcast.
    */
  def touched(state: DataFrame, changes: DataFrame): DataFrame = {
    val bucket = s"pmod(xxhash64($Terms), ${1 << 18})"
    val all = changes.selectExpr(s"$bucket AS bucket")
    // Without a job for rows of the driver.
    val buckets =
      if (Frames.isOnDriver(changes)) all
      else all.selectExpr("explode(collect_set(bucket)) AS bucket")
    state.join(broadcast(buckets), expr(s"$bucket = bucket"), "left_semi")
  }
}
