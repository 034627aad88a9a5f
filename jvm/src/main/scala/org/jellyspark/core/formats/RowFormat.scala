package org.jellyspark.core.formats

import org.jellyspark.core.rows.Column

/** A file format: all that Spark's source and the bridge know of it. */
trait RowFormat extends Serializable {

  /** The name that users give it by. */
  def shortName: String

  /** Its name in prose. */
  def title: String

  /** What its files' names end in, with the dot. */
  def extension: String

  /** The columns of its rows, in order, with these options. */
  def columns(options: Map[String, String]): Seq[Column]

  /** All columns that its rows can have, whatever the options. */
  def allColumns: Seq[Column] = columns(Map.empty)

  /** Whether its readers can go on behind a row that is malformed. */
  def canSkipRows: Boolean = false

  /** Whether a file can be read in parts. */
  def canSplit: Boolean = false

  /** How files are read with these options; other names than the format's are left to others. The
    * option [[RowFormat.strict]] is every format's.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def reader(options: Map[String, String]): ReaderFactory

  /** How files are read as columns with these options; None where the format gives rows only.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def batchReader(
      options: Map[String, String],
      request: BatchRequest
  ): Option[BatchReaderFactory] = None

  /** How files are written with these options, as [[reader]] has it. */
  def writer(options: Map[String, String]): WriterFactory
}

object RowFormat {
  val StrictKey = "strict"

  /** Whether rules that are not needed to make sense of a file are errors too; an option of all
    * formats.
    */
  def strict(parser: OptionParser): Boolean = parser.boolean(StrictKey, default = false)
}
