package org.jellyspark.sql.logs.commits

import org.apache.spark.sql.Row
import org.apache.spark.sql.classic.DataFrame

import org.jellyspark.sql.logs.Frames

/** Rows that are so few that the driver can hold them. Queries of them need no job. */
private[commits] object FewRows {

  /** The largest size of all rows, in characters of their strings. */
  private val MostText = 1 << 20

  /** What a row needs besides its strings, in characters. */
  private val RowText = 64

  /** Returns rows as rows of the driver; none if they are not few. This runs their query. */
  def of(rows: DataFrame): Option[DataFrame] = {
    val tasks = rows.rdd
    val most = MostText / tasks.getNumPartitions.max(1)
    val found = tasks.mapPartitions(rows => Iterator(taken(rows, most))).collect()
    Option.when(found.forall(_.isDefined)) {
      Frames.of(rows.sparkSession, rows.schema, found.toSeq.flatten.flatten)
    }
  }

  /** Returns the rows of a task; none if they are larger than allowed. */
  private def taken(rows: Iterator[Row], most: Int): Option[Seq[Row]] = {
    val found = Seq.newBuilder[Row]
    var size = 0L
    while (rows.hasNext && size <= most) {
      val row = rows.next()
      found += row
      size += RowText + row.toSeq.collect { case text: String => text.length }.sum
    }
    Option.when(size <= most)(found.result())
  }
}
