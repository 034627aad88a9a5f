package org.jellyspark.core.formats

import java.io.{EOFException, InputStream}

/** A file that can be read from any offset. */
trait InputFile {

  /** The name of the file in errors. */
  def name: String

  /** The length in bytes. [[InputFile.UnknownLength]] if it is not known, as for the content of a
    * compressed file. Such a file can only be read from its beginning.
    */
  def length: Long

  /** Opens the file at a byte offset. The caller closes the stream.
    *
    * An object store is asked for the bytes before `end` only, in one request. The stream goes on
    * beyond `end`, which takes another request.
    *
    * @param end
    *   the byte offset up to which the caller expects to read
    */
  def open(start: Long, end: Long): InputStream

  /** Returns the last bytes of a file of known length.
    *
    * @param size
    *   how many; at most the length of the file
    * @throws java.io.EOFException
    *   if the file is shorter than its length says
    */
  def tail(size: Int): Array[Byte] = {
    val in = open(length - size, length)
    try {
      val bytes = in.readNBytes(size)
      if (bytes.length < size)
        throw new EOFException(s"$name is shorter than $length bytes, its reported length")
      bytes
    } finally in.close()
  }
}

object InputFile {
  val UnknownLength: Long = -1L
}
