package org.jellyspark.source

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.LongAccumulator
import org.slf4j.LoggerFactory

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.RowFormat

/** Handles malformed input as the read's [[ReadMode]] requires.
  *
  * @param areKept
  *   whether malformed rows become rows of the result (PERMISSIVE)
  * @param corruptColumn
  *   name of the column that takes the text of malformed rows; null if there is none
  * @param skipsRows
  *   whether the format can skip a single row
  * @param dropped
  *   counts what is dropped (DROPMALFORMED), else null. The unit is a row. In formats that cannot
  *   skip a row it is a file, counted once for each place where reading was resumed.
  */
private[source] final class MalformedRowHandler(
    val areKept: Boolean,
    val corruptColumn: String,
    skipsRows: Boolean,
    dropped: LongAccumulator
) extends Serializable {
  import MalformedRowHandler._

  // Counted per task: each task deserializes a copy.
  private[this] var warnings = 0

  /** Drops a malformed row or, in a format that cannot skip a row, the rest of the file.
    *
    * @param head
    *   the beginning of the file
    * @return
    *   whether reading continues with the next row
    * @throws org.jellyspark.MalformedInputException
    *   `error`, unless the mode is DROPMALFORMED and the file begins as files of the format do
    */
  def drop(error: MalformedInputException, head: FileHead): Boolean = {
    if (dropped == null || !head.isOfFormat) throw error.withHint(head.hint)
    if (warnings < MaxWarnings) {
      warnings += 1
      val what = if (skipsRows) "a malformed row" else "part of a malformed file"
      val last =
        if (warnings == MaxWarnings) "; further ones are counted, but not logged" else ""
      log
        .atWarn()
        .addKeyValue("path", error.file)
        .addKeyValue("offset", error.offset)
        .log(s"Dropped $what: ${error.getMessage}$last")
    }
    dropped.add(1)
    skipsRows
  }
}

private[source] object MalformedRowHandler {
  // Spark's own logging with keys and values is not for others to use. In its structured log, these
  // keys and values appear as those of its own messages do.
  private val log = LoggerFactory.getLogger(classOf[MalformedRowHandler])

  // Warnings per task, to keep logs readable.
  private val MaxWarnings = 100

  def apply(format: RowFormat, options: SourceOptions, spark: SparkSession): MalformedRowHandler = {
    // The name under which Spark's UI shows the accumulator.
    val counted = if (format.canSkipRows) "rows" else "files"
    val dropped =
      if (options.mode != ReadMode.DropMalformed) null
      else spark.sparkContext.longAccumulator(s"${format.shortName}: malformed $counted")
    val areKept = options.mode == ReadMode.Permissive
    new MalformedRowHandler(areKept, options.corruptColumn, format.canSkipRows, dropped)
  }
}
