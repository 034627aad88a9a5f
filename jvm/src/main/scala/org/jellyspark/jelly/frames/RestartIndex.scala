package org.jellyspark.jelly.frames

import java.io.{BufferedInputStream, EOFException, InputStream}
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.charset.StandardCharsets.US_ASCII
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.formats.InputFile
import org.jellyspark.jelly.wire.{Wire, WireOutput}

/** A restart point: a frame of a Jelly file that can be decoded without anything before it. Restart
  * points make a file splittable.
  *
  * A Jelly stream is sequential, because rows refer to earlier lookup entries and repeated terms.
  * At a restart point, the writer repeats the options row and starts over. The invariant: a reader
  * that starts here and one that comes from the beginning of the file decode the same rows.
  * Therefore,
  *
  *   - the first entry of each lookup, and the first prefix id and name id of an IRI, are written
  *     as numbers, never as 0 for "the last one (plus one)";
  *   - the first term of each position is written, never omitted as a repetition;
  *   - no graph of a GRAPHS stream is open. A transaction may be open, which `inTransaction` tells.
  *
  * All of this is standard Jelly, which any reader understands. The numbers below count what comes
  * before the frame, so that a reader that starts here numbers its rows in the same way as one that
  * does not.
  *
  * @param offset
  *   the byte offset of the frame
  * @param frames
  *   the number of frames
  * @param rows
  *   the number of rows as readers number them, including Jelly-RDF's namespace declarations
  * @param namespaces
  *   the number of these rows that are Jelly-RDF's namespace declarations
  * @param patches
  *   the number of closed patches
  * @param transactions
  *   the number of transactions, including an open one
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

  /** The counts, for error messages. */
  def counts: String =
    s"$frames frames, $rows rows, $namespaces namespaces, $patches patches, " +
      s"$transactions transactions${if (inTransaction) ", one open" else ""}"
}

private[jellyspark] object RestartPoint {

  /** The beginning of a file. */
  val Start: RestartPoint = RestartPoint(0, 0, 0, 0, 0, 0, inTransaction = false)

  /** Whether the counts of an index do not contradict each other: counts do not decrease,
    * namespaces are rows, and an open transaction has begun.
    */
  def arePossible(points: Seq[RestartPoint]): Boolean =
    (Start +: points).zip(points).forall { case (before, point) =>
      val namespaces = point.namespaces - before.namespaces
      before.frames <= point.frames && 0 <= namespaces && namespaces <= point.rows - before.rows &&
      before.patches <= point.patches && before.transactions <= point.transactions &&
      (point.transactions > 0 || !point.inTransaction)
    }
}

/** The index of a file's restart points. It is the value of an entry in the metadata of the last
  * frame, and therefore the last bytes of the file.
  *
  * The value consists of 64-bit little-endian numbers and a magic: the version, seven numbers for
  * each restart point in the order of [[RestartPoint]]'s fields, the length of the file, the length
  * of the value, and the eight bytes `JellyIdx`. All lengths are in bytes.
  */
private[jellyspark] object RestartIndex {

  /** The key of the metadata entry. */
  val Key = "jelly-spark.index"

  private val Version = 1L
  private val Magic = "JellyIdx".getBytes(US_ASCII)
  private val NumberSize = java.lang.Long.BYTES
  private val PointSize = 7 * NumberSize
  // The size of the value's length and the magic.
  private val EndSize = NumberSize + Magic.length
  // The size of everything except the points: the version, the length of the file, and the end.
  private val FrameworkSize = 2 * NumberSize + EndSize
  // The number of bytes to read from the end of a file to find the value, which may be longer: a
  // small part of the file, and at most enough for about 1,000 points.
  private val MinTail = 1 << 12
  private val MaxTail = 1 << 16
  private val TailsPerFile = 256
  // The longest value that is written or read, in bytes: 16 MiB, about 300,000 points. It limits
  // what a forged length can make a reader allocate.
  private val MaxSize = 1 << 24
  // The longest file that is walked, in bytes. A file whose index can be valid UTF-8 has few
  // points.
  private val MaxWalked = 1L << 26

  /** The length of the value for a number of points, in bytes. */
  def sizeOf(points: Int): Int = FrameworkSize + points * PointSize

  /** Whether an index with this many points has room for another one. */
  def hasRoom(points: Int): Boolean = sizeOf(points + 1) <= MaxSize

  /** Encodes the value.
    *
    * @param fileLength
    *   the length of the whole file in bytes, including this value
    */
  def encode(points: Seq[RestartPoint], fileLength: Long): Array[Byte] = {
    val size = sizeOf(points.length)
    val out = ByteBuffer.allocate(size).order(LITTLE_ENDIAN)
    out.putLong(Version).put(encode(points))
    out.putLong(fileLength).putLong(size.toLong).put(Magic)
    out.array
  }

  /** Encodes the points alone. */
  def encode(points: Seq[RestartPoint]): Array[Byte] = {
    val out = ByteBuffer.allocate(points.length * PointSize).order(LITTLE_ENDIAN)
    points.foreach { point =>
      out.putLong(point.offset).putLong(point.frames).putLong(point.rows)
      out.putLong(point.namespaces).putLong(point.patches).putLong(point.transactions)
      out.putLong(if (point.inTransaction) 1 else 0)
    }
    out.array
  }

  /** Reads the restart points of a file, in order. Returns none if the file has no index, or one
    * that does not match the file's length, for example because files were concatenated. A literal
    * that only looks like an index is not mistaken for one.
    *
    * The points are not checked against the file. A reader does that when it reads the range of a
    * point: the range must start with an options row and end where the next one begins.
    */
  def read(file: InputFile): Seq[RestartPoint] = {
    val length = file.length
    if (length < sizeOf(1)) Nil
    else {
      val tail = this.tail(file)
      val end = last(tail, EndSize)
      val size = end.getLong
      val magic = new Array[Byte](Magic.length)
      end.get(magic)
      val isIndex = Arrays.equals(magic, Magic) && size >= sizeOf(1) && size <= MaxSize &&
        size <= length && (size - FrameworkSize) % PointSize == 0
      if (isIndex) ofSize(size.toInt, file, tail) else Nil
    }
  }

  /** The length in bytes of the field of the last frame that has the index. */
  def fieldSizeOf(points: Int): Int = {
    val size = sizeOf(points)
    fieldStart(Key, size).length + size
  }

  /** Reads the end of a file: at least `size` bytes, if it has as many. Those that are needed to
    * find an index are always included, so that caches have them once.
    */
  private[frames] def tail(file: InputFile, size: Int = 0): Array[Byte] =
    file.tail(math.max(tailSize(file.length).toLong, math.min(size.toLong, file.length)).toInt)

  /** The bytes of the last frame's field before the value: an entry of its metadata. */
  private[frames] def fieldStart(name: String, size: Int): Array[Byte] = {
    val out = new WireOutput
    val key = name.getBytes(US_ASCII)
    val entrySize = WireOutput.sizeOf(Wire.Metadata.Key, key.length) +
      WireOutput.sizeOf(Wire.Metadata.Value, size)
    out.begin(Wire.FrameMetadata, entrySize)
    out.field(Wire.Metadata.Key, key, 0, key.length)
    out.begin(Wire.Metadata.Value, size)
    out.toByteArray
  }

  /** Reads the points of a value of `size` bytes at the end of the file, if it belongs to the
    * index's key.
    *
    * The field could also be text within a row. Text is UTF-8, which an index very rarely is. If it
    * is, the fields of the file are walked, unless the file is long: such a file is treated as one
    * without an index.
    */
  private def ofSize(size: Int, file: InputFile, tail: Array[Byte]): Seq[RestartPoint] = {
    val start = fieldStart(Key, size)
    val length = start.length + size
    if (file.length < length) Nil
    else {
      val field = if (length <= tail.length) tail.takeRight(length) else file.tail(length)
      val hasKey = Arrays.equals(start, 0, start.length, field, 0, start.length)
      val isSure = hasKey && !Utf8.isValid(field, 0, length)
      val isField = isSure ||
        (hasKey && file.length <= MaxWalked && beginsField(file, file.length - length))
      if (isField) decode(last(field, size), file.length)
      else Nil
    }
  }

  /** Whether a field of a frame begins at a byte offset. */
  private def beginsField(file: InputFile, offset: Long): Boolean = {
    val in = new BufferedInputStream(file.open(0, offset))
    try new FieldWalk(in).reaches(offset)
    catch { case _: EOFException => false }
    finally in.close()
  }

  private def tailSize(length: Long): Int =
    math
      .min(length, math.min(math.max(length / TailsPerFile, MinTail.toLong), MaxTail.toLong))
      .toInt

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

  private def last(bytes: Array[Byte], size: Int): ByteBuffer =
    ByteBuffer.wrap(bytes, bytes.length - size, size).order(LITTLE_ENDIAN)
}

/** Walks the fields of a file's frames without decoding their content. The file must be delimited.
  */
private final class FieldWalk(in: InputStream) {
  private[this] var at = 0L

  /** Whether a field of a frame begins at a byte offset.
    *
    * @throws java.io.EOFException
    *   if there are no fields up to there
    */
  def reaches(offset: Long): Boolean = {
    while (at < offset) {
      val length = varint()
      if (length <= offset - at) skip(length)
      else while (at < offset) skipField()
    }
    at == offset
  }

  private def skipField(): Unit = (varint() & 7).toInt match {
    case Wire.Varint          => varint(): Unit
    case Wire.Fixed64         => skip(8)
    case Wire.Fixed32         => skip(4)
    case Wire.LengthDelimited => skip(varint())
    case _                    => end()
  }

  private def varint(): Long = {
    var value = 0L
    var shift = 0
    var byte = 0x80
    while ((byte & 0x80) != 0) {
      byte = in.read()
      if (byte < 0 || shift >= java.lang.Long.SIZE) end()
      value |= (byte & 0x7fL) << shift
      shift += 7
      at += 1
    }
    value
  }

  private def skip(length: Long): Unit = {
    if (length < 0) end()
    in.skipNBytes(length)
    at += length
  }

  /** Ends the walk, because there is no field at this position. */
  private def end(): Nothing = throw new EOFException
}
