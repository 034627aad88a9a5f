package org.jellyspark.core.formats

import java.io.InputStream

/** A file that can be read from any offset. */
trait InputFile {

  /** The name of the file in errors. */
  def name: String

  /** The length in bytes. [[InputFile.UnknownLength]] if it is not known, as for the content of a
    * compressed file. Such a file can only be read from its beginning.
    */
  def length: Long

  /** Opens the file at a byte offset. The caller closes the stream. */
  def open(offset: Long): InputStream
}

object InputFile {
  val UnknownLength: Long = -1L
}
