package org.jellyspark.source

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.LongAccumulator

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.RowFormat

/** What a read does with malformed input, as its mode says.
  *
  * @param areKept
  *   whether malformed rows are rows of the result
  * @param corruptColumn
  *   name of the column that takes their text; null if there is none
  * @param dropped
  *   counts what was dropped: rows, or in formats that cannot skip a row files (one that could be
  *   read again behind what was dropped counts each time); null where nothing is
  */
private[source] final class MalformedRows(
    val areKept: Boolean,
    val corruptColumn: String,
    skipsRows: Boolean,
    dropped: LongAccumulator
) extends Serializable
    with Logging {
  // Each task has a copy of its own.
  private[this] var warnings = 0

  /** Drops a malformed row, or what follows in its file.
    *
    * @return
    *   whether reading can go on
    * @throws org.jellyspark.MalformedInputException
    *   the error, if it fails the job
    */
  def drop(error: MalformedInputException): Boolean = {
    if (dropped == null) throw error
    if (warnings < MalformedRows.MostWarnings) {
      warnings += 1
      val what = if (skipsRows) "a malformed row" else "part of a malformed file"
      val last = if (warnings == MalformedRows.MostWarnings) "; more are only counted" else ""
      logWarning(s"Dropped $what: ${error.getMessage}$last")
    }
    dropped.add(1)
    skipsRows
  }
}

private[source] object MalformedRows {
  // Of a task, so that a log stays one.
  private val MostWarnings = 100

  def apply(format: RowFormat, options: SourceOptions, spark: SparkSession): MalformedRows = {
    // What Spark's UI shows.
    val counted = if (format.canSkipRows) "rows" else "files"
    val dropped =
      if (options.mode != ReadMode.DropMalformed) null
      else spark.sparkContext.longAccumulator(s"${format.shortName}: malformed $counted")
    val areKept = options.mode == ReadMode.Permissive
    new MalformedRows(areKept, options.corruptColumn, format.canSkipRows, dropped)
  }
}
