package org.jellyspark.core.formats

import java.io.{EOFException, InputStream}

/** A file that can be read from any offset. */
trait InputFile {

  /** The name of the file in error messages. */
  def name: String

  /** The length in bytes, or [[InputFile.UnknownLength]], for example for the content of a
    * compressed file. Such a file can only be read from the beginning.
    */
  def length: Long

  /** Opens the file at a byte offset. The caller closes the stream.
    *
    * An object store is asked for the bytes before `end` in a single request. The stream continues
    * after `end`, but that takes another request.
    *
    * @param end
    *   the byte offset up to which the caller expects to read
    */
  def open(start: Long, end: Long): InputStream

  /** Returns the last bytes of a file whose length is known.
    *
    * @param size
    *   the number of bytes, at most the length of the file
    * @throws java.io.EOFException
    *   if the file is shorter than its length says
    */
  def tail(size: Int): Array[Byte] = read(length - size, length)

  /** Returns the bytes between two byte offsets of a file whose length is known.
    *
    * @throws java.io.EOFException
    *   if the file is shorter than its length says
    */
  def read(start: Long, end: Long): Array[Byte] = {
    val size = (end - start).toInt
    val in = open(start, end)
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

/** The part of a file that one task reads: the bytes `[start, end)`. */
final case class FilePart(start: Long, end: Long) {
  def isEmpty: Boolean = start == end
}

object FilePart {

  /** A whole file of any length. */
  val Whole: FilePart = FilePart(0, Long.MaxValue)
}
