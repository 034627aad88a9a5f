package org.jellyspark.jelly.frames

import java.io.InputStream
import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets.US_ASCII

import org.jellyspark.core.formats.InputFile

/** A place in a file from which reading needs nothing before it, and what there is before it.
  *
  * @param offset
  *   byte offset of a frame
  * @param rows
  *   rows as a reader numbers them, namespaces of Jelly-RDF included
  * @param namespaces
  *   those of them that are namespaces of Jelly-RDF
  * @param patches
  *   patches that are closed
  * @param inTransaction
  *   whether the last transaction is open
  */
private[jellyspark] final case class RestartPoint(
    offset: Long,
    frames: Long,
    rows: Long,
    namespaces: Long,
    patches: Long,
    transactions: Long,
    inTransaction: Boolean
) {

  /** What there is before it, in words. */
  def counts: String =
    s"$frames frames, $rows rows, $namespaces namespaces, $patches patches, " +
      s"$transactions transactions${if (inTransaction) ", one open" else ""}"
}

private[jellyspark] object RestartPoint {

  /** The beginning of a file. */
  val Start: RestartPoint = RestartPoint(0, 0, 0, 0, 0, 0, inTransaction = false)
}

/** The index of a file's restart points: the value of an entry of the last frame's metadata, and so
  * the file's last bytes.
  *
  * Numbers of 64 bits, the lowest byte first: the version, seven for each point, the length of the
  * file, the length of the value; then eight letters.
  */
private[jellyspark] object RestartIndex {

  /** The key of the entry. */
  val Key = "jelly-spark.index"

  private val Version = 1L
  private val Magic = "JellyIdx".getBytes(US_ASCII)
  private val NumberSize = java.lang.Long.BYTES
  private val PointSize = 7 * NumberSize
  // The value's length and the letters.
  private val EndSize = NumberSize + Magic.length
  // The version and the file's length.
  private val FrameworkSize = 2 * NumberSize + EndSize
  // Far more than any file has; what a task is ready to hold.
  private val MaxSize = 1 << 24

  /** The length of the value for this many points, in bytes. */
  def sizeOf(points: Int): Int = FrameworkSize + points * PointSize

  /** Whether there may be another point beside this many. */
  def hasRoom(points: Int): Boolean = sizeOf(points + 1) <= MaxSize

  /** The value.
    *
    * @param fileLength
    *   the length of the whole file in bytes, this value included
    */
  def encode(points: Seq[RestartPoint], fileLength: Long): Array[Byte] = {
    val size = sizeOf(points.length)
    val out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN)
    out.putLong(Version)
    points.foreach { point =>
      out.putLong(point.offset).putLong(point.frames).putLong(point.rows)
      out.putLong(point.namespaces).putLong(point.patches).putLong(point.transactions)
      out.putLong(if (point.inTransaction) 1 else 0)
    }
    out.putLong(fileLength).putLong(size.toLong).put(Magic)
    out.array
  }

  /** The restart points of a file, in order; none where it has no index that fits it. That they are
    * what the index says is for the reader to prove.
    */
  def read(file: InputFile): Seq[RestartPoint] = {
    val length = file.length
    if (length < sizeOf(1)) Nil
    else {
      val end = tail(file, EndSize)
      val size = end.getLong
      val magic = new Array[Byte](Magic.length)
      end.get(magic)
      val isIndex = java.util.Arrays.equals(magic, Magic) && size >= sizeOf(1) && size <= MaxSize &&
        size <= length && (size - FrameworkSize) % PointSize == 0
      if (isIndex) decode(tail(file, size.toInt), length) else Nil
    }
  }

  private def decode(value: ByteBuffer, length: Long): Seq[RestartPoint] = {
    val points = (value.remaining - FrameworkSize) / PointSize
    val version = value.getLong
    val found = Seq.fill(points) {
      RestartPoint(
        value.getLong,
        value.getLong,
        value.getLong,
        value.getLong,
        value.getLong,
        value.getLong,
        value.getLong != 0
      )
    }
    val rises = (RestartPoint.Start +: found).zip(found).forall { case (before, point) =>
      before.offset < point.offset
    }
    val fits = version == Version && value.getLong == length && found.last.offset < length
    if (fits && rises) found else Nil
  }

  private def tail(file: InputFile, size: Int): ByteBuffer = {
    val in = file.open(file.length - size)
    try ByteBuffer.wrap(readFully(in, size)).order(ByteOrder.LITTLE_ENDIAN)
    finally in.close()
  }

  private def readFully(in: InputStream, size: Int): Array[Byte] = {
    val bytes = in.readNBytes(size)
    if (bytes.length < size) throw new java.io.EOFException("the file is shorter than its length")
    bytes
  }
}
