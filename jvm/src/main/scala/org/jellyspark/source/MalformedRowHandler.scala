package org.jellyspark.source

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.LongAccumulator
import org.slf4j.LoggerFactory

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.source.files.FileHead

/** Handles malformed input according to the [[ReadMode]].
  *
  * @param areKept
  *   whether malformed rows become rows of the result (PERMISSIVE)
  * @param corruptColumn
  *   the name of the column for the text of malformed rows; null if there is none
  * @param skipsRows
  *   whether the format can skip a single row
  * @param dropped
  *   in mode DROPMALFORMED, the number of dropped rows or, in formats that cannot skip a row, of
  *   files, each counted once for every place where reading resumed; null in other modes
  */
private[source] final class MalformedRowHandler(
    val areKept: Boolean,
    val corruptColumn: String,
    skipsRows: Boolean,
    dropped: LongAccumulator
) extends Serializable {
  import MalformedRowHandler._

  // Per task, because each task deserializes its own copy.
  private[this] var warnings = 0

  /** Drops a malformed row or, in a format that cannot skip a row, the rest of the file.
    *
    * @param head
    *   the beginning of the file
    * @return
    *   whether reading continues with the next row
    * @throws org.jellyspark.MalformedInputException
    *   `error`, unless the mode is DROPMALFORMED and the file begins like a file of the format
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
  // Spark's own structured logging API is private. With these keys and values, messages look like
  // Spark's own in its structured log.
  private val log = LoggerFactory.getLogger(classOf[MalformedRowHandler])

  // The limit of warnings per task, to keep logs readable.
  private val MaxWarnings = 100

  def apply(format: RowFormat, options: SourceOptions, spark: SparkSession): MalformedRowHandler = {
    // The name of the accumulator in Spark's UI.
    val counted = if (format.canSkipRows) "rows" else "files"
    val dropped =
      if (options.mode != ReadMode.DropMalformed) null
      else spark.sparkContext.longAccumulator(s"${format.shortName}: malformed $counted")
    val areKept = options.mode == ReadMode.Permissive
    new MalformedRowHandler(areKept, options.corruptColumn, format.canSkipRows, dropped)
  }
}
