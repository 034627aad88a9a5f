package org.jellyspark.source

import java.io.{IOException, InputStream}

import org.jellyspark.core.formats.FileHints

/** The first bytes of a file, which are read again when the file turns out to be malformed.
  *
  * @param format
  *   the short name of the format that the file is read as
  * @param open
  *   opens the file at its beginning
  */
private[source] final class FileHead(format: String, open: () => InputStream) {
  private[this] lazy val bytes: Array[Byte] = read()

  /** What the file looks like, and what to do; null if it looks like the format, or like nothing
    * known.
    */
  def hint: String = FileHints.find(bytes, format)

  /** Whether the file begins as files of the format do. True if the beginning cannot be read, as
    * where compressed bytes are damaged.
    */
  def isOfFormat: Boolean = bytes.isEmpty || FileHints.isStart(bytes, format)

  private def read(): Array[Byte] = {
    val head = new Array[Byte](FileHints.HeadSize)
    var size = 0
    try {
      val in = open()
      try {
        var count = in.read(head)
        while (count > 0) {
          size += count
          count = in.read(head, size, head.length - size)
        }
      } finally in.close()
    } catch { case _: IOException => } // the error that the caller has is the one to report
    head.take(size)
  }
}
