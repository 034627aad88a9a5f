package org.jellyspark.source.files

import java.io.{IOException, InputStream}

import org.jellyspark.core.formats.FileHints

/** The first bytes of a file. They are read again if the file turns out to be malformed.
  *
  * @param kind
  *   the kind of the file as which it is read: see [[org.jellyspark.core.formats.RowFormat.kindOf]]
  * @param open
  *   opens the file at its beginning
  */
private[source] final class FileHead(kind: => String, open: () => InputStream) {
  private[this] lazy val bytes: Array[Byte] = read()

  /** What the file looks like and what to do about it; null if it looks like the format, or if its
    * content is not recognized.
    */
  def hint: String = FileHints.find(bytes, kind)

  /** Whether the file begins like a file of the format. True if the beginning cannot be read, for
    * example because compressed bytes are damaged.
    */
  def isOfFormat: Boolean = bytes.isEmpty || FileHints.isStart(bytes, kind)

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
    } catch { case _: IOException => } // the caller reports its own error, not this one
    head.take(size)
  }
}
