package org.jellyspark.core

import java.io.{InputStream, OutputStream}

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

/** Opens files, with the options that it was made of. */
trait ReaderFactory extends Serializable {

  /** Reads a file, or the rows that begin in a part of it.
    *
    * @param in
    *   the file's bytes from its beginning, whichever the part; closed by the caller
    * @param file
    *   what errors call it
    */
  def open(in: InputStream, file: String, part: FilePart = FilePart.Whole): RowReader
}

/** Makes files, with the options that it was made of. */
trait WriterFactory extends Serializable {

  /** Writes a file.
    *
    * @param out
    *   where the bytes go; closed by the caller
    */
  def open(out: OutputStream): RowWriter
}

/** The bytes of a file from `start` to before `end`. */
final case class FilePart(start: Long, end: Long)

object FilePart {
  val Whole: FilePart = FilePart(0, Long.MaxValue)
}

/** Reads the rows of one file, in bounded memory.
  *
  * {{{
  * while (reader.next()) use(reader.row)
  * }}}
  */
trait RowReader {

  /** The current row; the same object each time, valid until `next`. */
  def row: Row

  /** Moves on to the next row; answers whether there is one.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format; it may be called again if the format can skip rows
    */
  def next(): Boolean

  /** After such an error, where the format can skip rows: the text of the row that is malformed.
    * `row` has its numbers, and nothing else.
    */
  def malformedRow: String = null
}

/** Writes the rows of one file. */
trait RowWriter {

  /** Writes one row, with the numbers that a reader gave it, if it did.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if it cannot be written; nothing can follow it
    */
  def write(row: Row): Unit

  /** Ends the file: what is still held is written, unless a row failed.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the file may not end here
    */
  def finish(): Unit
}
