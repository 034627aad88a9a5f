package org.jellyspark.log.files

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.util.zip.{GZIPInputStream, GZIPOutputStream, ZipException}

/** Compresses and decompresses gzip in memory. */
private[log] object Gzip {

  /** The checksum and the length at the end of a member. */
  private final val TrailerLength = 8

  /** Returns a member with some content. */
  def compress(content: Array[Byte]): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    val out = new GZIPOutputStream(bytes)
    out.write(content)
    out.close()
    bytes.toByteArray
  }

  /** Returns the content of members that follow each other.
    *
    * @throws java.io.IOException
    *   if they are damaged, or something else follows them
    */
  def decompress(bytes: Array[Byte]): Array[Byte] = {
    val in = new Members(bytes)
    val content = in.readAllBytes()
    in.checkEnd()
    content
  }

  // The buffer has room for all bytes, so the inflater has all that were not used.
  private final class Members(bytes: Array[Byte])
      extends GZIPInputStream(new ByteArrayInputStream(bytes), math.max(bytes.length, 1)) {

    /** Checks that nothing follows the last member, which `GZIPInputStream` would ignore. */
    def checkEnd(): Unit =
      if (inf.getRemaining != TrailerLength) throw new ZipException("not in gzip format")
  }
}
