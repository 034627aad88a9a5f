package org.jellyspark.core.formats

import java.io.InputStream

/** A file to be read, from any place in it. */
trait InputFile {

  /** What errors call it. */
  def name: String

  /** Its length in bytes; [[InputFile.UnknownLength]] where it is not known, as that of a
    * compressed file's content: then it can only be read from its beginning.
    */
  def length: Long

  /** Opens it at a byte offset; closed by the caller. */
  def open(offset: Long): InputStream
}

object InputFile {
  val UnknownLength: Long = -1L
}
