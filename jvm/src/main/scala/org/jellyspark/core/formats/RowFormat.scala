package org.jellyspark.core.formats

import scala.annotation.unused

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.Column

/** A file format, independent of Spark and of the bridge. */
trait RowFormat extends Serializable {

  /** The name in options and `CREATE TABLE … USING`, such as `jelly_patch`. */
  def shortName: String

  /** The name in messages, such as `Jelly-Patch`. */
  def title: String

  /** The extension of file names, with the dot. */
  def extension: String

  /** The name by which [[org.jellyspark.core.formats.FileHints]] knows how a file begins that is
    * read with these options: the short name, unless files of the format begin in several ways.
    */
  def kindOf(@unused file: String, @unused options: Map[String, String]): String = shortName

  /** The columns that rows have with these options, in order. */
  def columns(options: Map[String, String]): Seq[Column]

  /** All columns that rows can have, with any options. */
  def allColumns: Seq[Column] = columns(Map.empty)

  /** Columns that rows to be written may also have, and that writers ignore. */
  def ignoredColumns: Seq[Column] = Nil

  /** Whether readers can continue after a malformed row. */
  def canSkipRows: Boolean = false

  /** Whether several tasks can each read a part of the same file. */
  def canSplit: Boolean = false

  /** Whether a task that reads a part of a file reads everything before it, too. A file is then
    * only split if several tasks can run at the same time.
    */
  def skipsToParts: Boolean = false

  /** The part of a file that the task of a split reads. The parts of all splits cover each byte of
    * the file exactly once. A part may be empty.
    *
    * @param length
    *   the length of the file in bytes
    */
  def partOf(split: FilePart, length: Long): FilePart =
    FilePart(split.start, math.min(split.end, length))

  /** The names of the options of the format's readers and writers. */
  def optionNames: Seq[String]

  /** Creates a factory that reads files as rows with these options. Ignores options that the format
    * does not have. All formats have the options `strict` and `maxRowSize`.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  def reader(options: Map[String, String]): ReaderFactory

  /** Creates a factory that reads files as columns with these options.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  def batchReader(options: Map[String, String], request: BatchRequest): BatchReaderFactory =
    new RowBatchReaderFactory(reader(options), canSkipRows, request)

  /** Opens a reader that reads messages as columns with these options.
    *
    * @param name
    *   shown instead of a file name in error messages
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  def messageReader(
      options: Map[String, String],
      request: BatchRequest,
      name: String
  ): MessageReader = new RowMessageReader(reader(options), name, request)

  /** Creates a factory that writes files with these options. Ignores options that the format does
    * not have.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  def writer(options: Map[String, String]): WriterFactory
}

object RowFormat {

  /** The name of the option [[strict]]. */
  val StrictKey = "strict"

  /** Whether a reader also enforces rules that it does not need for reading, such as those on
    * transactions. All formats have this option.
    */
  def strict(parser: OptionParser): Boolean = parser.boolean(StrictKey, default = false)

  /** The name of the option [[rowLimit]]. */
  val MaxRowSizeKey = "maxRowSize"

  /** The longest row that a reader accepts. All formats have this option.
    *
    * @throws org.jellyspark.OptionException
    *   if the value is not valid
    */
  def rowLimit(parser: OptionParser): RowLimit =
    RowLimit(parser.within(MaxRowSizeKey, 1, Int.MaxValue, RowLimit.Default.bytes))

  /** The names of the options for reading that all formats have. */
  val ReadKeys: Seq[String] = Seq(StrictKey, MaxRowSizeKey)
}
