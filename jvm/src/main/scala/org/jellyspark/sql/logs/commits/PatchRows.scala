package org.jellyspark.sql.logs.commits

import org.apache.spark.sql.Row
import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.types.{IntegerType, StringType, StructType}

import org.jellyspark.sql.logs.{Frames, StatementChanges}

/** The rows of canonical patches, as `jelly_spark.patches.canonical` of Python describes them. */
private[commits] object PatchRows {
  import StatementChanges.Statement

  private val Rank = "rank"
  private val Begin = Int.MaxValue - 3
  private val Columns = "op" +: Statement :+ "name" :+ "value"

  private val Schema =
    Columns.foldLeft(new StructType().add(Rank, IntegerType))(_.add(_, StringType))

  /** Returns the rows of a patch in one partition, in order.
    *
    * @param headers
    *   the names and terms of the headers, in order
    * @param changes
    *   `op`, which is `A` or `D`, and the columns of a statement, each statement once
    */
  def of(headers: Seq[(String, String)], changes: DataFrame): DataFrame = {
    val marks = headers.zipWithIndex.map { case ((name, term), rank) =>
      Row(rank, "H", null, null, null, null, name, term)
    } ++ Seq(Begin -> "TX", Begin + 3 -> "TC").map { case (rank, op) =>
      Row(rank, op, null, null, null, null, null, null)
    }
    val ranked = changes.withColumn(Rank, expr(s"$Begin + IF(op = 'D', 1, 2)"))
    Frames
      .of(changes.sparkSession, Schema, marks)
      .unionByName(ranked, allowMissingColumns = true)
      .repartition(1)
      .sortWithinPartitions((Rank +: Statement).map(col): _*)
      .select(Columns.map(col): _*)
  }

  /** Returns changes whose query fails if a row that adds something is not a statement in canonical
    * N-Triples. Statements are compared as strings, so other forms would be other statements.
    */
  def checked(changes: DataFrame): DataFrame = changes.withColumn("op", expr(Checked))

  /** How many characters of a row an error shows. */
  private final val MostShown = 1000

  private val Checked: String = {
    def isOf(column: String, kinds: String*): String =
      s"try_canonical_term($column) <=> $column AND term_kind($column) IN " +
        kinds.mkString("('", "', '", "')")
    val row = s"left(to_json(struct(${Statement.mkString(", ")})), $MostShown)"
    val rules = Seq(
      ("subject", isOf("subject", "iri", "bnode"), "an IRI or a blank node"),
      ("predicate", isOf("predicate", "iri"), "an IRI"),
      ("object", isOf("object", "iri", "bnode", "literal", "triple"), "a term"),
      (
        "graph",
        s"graph IS NULL OR ${isOf("graph", "iri", "bnode")}",
        "an IRI, a blank node or null"
      )
    )
    val cases = rules.map { case (column, rule, text) =>
      s"WHEN NOT coalesce($rule, false) THEN raise_error(concat(" +
        s"'$column must be $text, in canonical N-Triples; in row ', $row))"
    }
    s"CASE WHEN op = 'D' THEN op ${cases.mkString(" ")} ELSE op END"
  }
}
