package org.jellyspark.formats.rdfpatchthrift

import java.io.{ByteArrayInputStream, InputStream}

import org.jellyspark.core.bytes.{Swar, Utf8, Varint}
import org.jellyspark.core.errors.{CorruptInputException, RowLimit}
import org.jellyspark.core.errors.MalformedRowException.{malformed, noUtf8, Undamaged}

/** Reads the subset of Thrift's compact protocol that RDF Patch needs from a byte stream.
  *
  * Memory grows with the strings actually in the stream, never with an announced length. A full
  * buffer is replaced by a new array, because terms may refer to its bytes. All methods throw a
  * [[org.jellyspark.core.errors.MalformedRowException]] if the bytes are malformed or end too
  * early.
  *
  * {{{
  * var last = 0
  * while (in.nextField(last)) {
  *   last = in.fieldId
  *   last match {
  *     case 1 => in.checkType("name", CompactProtocol.String); use(in.string())
  *     case _ => in.skipField()
  *   }
  * }
  * }}}
  *
  * @param in
  *   the bytes; closed by the caller
  * @param rowLimit
  *   the longest row whose strings are held in memory
  * @param size
  *   the initial size of the buffer, in bytes
  */
private[rdfpatchthrift] final class CompactProtocolReader(
    in: InputStream,
    rowLimit: RowLimit,
    size: Int = CompactProtocolReader.BufferSize
) {
  import CompactProtocolReader._

  /** The bytes read, up to `limit`, and padding for loads of eight bytes at once. Any call that
    * reads more bytes may replace the array.
    */
  var buffer: Array[Byte] = new Array[Byte](size + Padding)

  /** The index in `buffer` of the next byte. */
  var pos = 0

  /** The index in `buffer` after the last byte read. */
  var limit = 0

  // The offset in the stream of the buffer's first byte.
  private[this] var base = 0L
  // The id and the type of the current field.
  private[this] var id = 0
  private[this] var kind = 0
  // The length of the last string.
  private[this] var length = 0
  // The offset in the stream at which the current row begins.
  private[this] var rowAt = 0L

  /** The offset in the stream of the next byte. */
  def offset: Long = base + pos

  /** Begins a row. */
  def startRow(): Unit = rowAt = offset

  /** Whether the stream ends at the current position. */
  def atEnd(): Boolean = pos == limit && !fill()

  /** Begins the next field of a struct. If there is one, read or skip its value next.
    *
    * @param last
    *   the id of the struct's previous field; 0 before the first field
    * @return
    *   whether there is a field; false at the end of the struct
    */
  def nextField(last: Int): Boolean = {
    val head = byte()
    if (head == CompactProtocol.Stop) false
    else {
      kind = head & 0xf
      checkKnown(kind)
      val distance = head >> 4
      id = if (distance != 0) last + distance else fromZigzag(varint(I16Size)).toInt
      if (id != id.toShort) malformed("a field id of 16 bits", s"id $id")
      true
    }
  }

  /** The id of the current field. */
  def fieldId: Int = id

  /** Checks that the current field has the type required by the schema. */
  def checkType(name: String, expected: Int): Unit =
    if (kind != expected) {
      malformed(
        s"${CompactProtocol.typeName(expected)} in field $name",
        CompactProtocol.typeName(kind)
      )
    }

  def i32(): Long = fromZigzag(varint(I32Size))

  def string(): String = {
    readString()
    text()
  }

  /** Reads a string: the `stringLength` bytes of `stringBytes` from `stringStart` on, which remain
    * valid until the next read.
    */
  def readString(): Unit = {
    length = announcedLength()
    while (limit - pos < length) {
      if (!fill()) cutOff()
      // Counts only the bytes that are there: a file that ends earlier is truncated, whatever
      // length it announces.
      rowLimit.check(offset - rowAt + math.min(limit - pos, length))
    }
    pos += length
  }

  def stringBytes: Array[Byte] = buffer

  def stringStart: Int = pos - length

  def stringLength: Int = length

  /** Decodes the string that was just read. */
  def text(): String = {
    val text = Utf8.decode(buffer, stringStart, pos)
    if (text == null) noUtf8(Utf8.describeInvalid(buffer, stringStart, pos))
    text
  }

  /** Skips the value of the current field, which is not in the schema. */
  def skipField(): Unit = skip(kind, 1)

  private def skip(kind: Int, depth: Int): Unit = kind match {
    case CompactProtocol.True | CompactProtocol.False => // the type is the value
    case CompactProtocol.Byte                         => skipBytes(1)
    case CompactProtocol.I16                          => varint(I16Size): Unit
    case CompactProtocol.I32                          => varint(I32Size): Unit
    case CompactProtocol.I64                          => varint(I64Size): Unit
    case CompactProtocol.Double                       => skipBytes(8)
    case CompactProtocol.Uuid                         => skipBytes(16)
    case CompactProtocol.String                       => skipBytes(announcedLength())
    case _                                            =>
      if (depth > CompactProtocol.MaxDepth) {
        malformed(s"fields nested at most ${CompactProtocol.MaxDepth} deep", "deeper nesting")
      }
      kind match {
        case CompactProtocol.Struct => while (nextField(0)) skip(this.kind, depth + 1)
        case CompactProtocol.Map    => skipMap(depth)
        case _                      => skipSequence(depth)
      }
  }

  private def skipSequence(depth: Int): Unit = {
    val head = byte()
    val element = head & 0xf
    checkKnown(element)
    var left = if (head >> 4 == 15) varint(I32Size) else (head >> 4).toLong
    while (left > 0) {
      skipElement(element, depth)
      left -= 1
    }
  }

  private def skipMap(depth: Int): Unit = {
    var left = varint(I32Size)
    if (left > 0) {
      val head = byte()
      checkKnown(head >> 4)
      checkKnown(head & 0xf)
      while (left > 0) {
        skipElement(head >> 4, depth)
        skipElement(head & 0xf, depth)
        left -= 1
      }
    }
  }

  /** Skips an element of a container. In containers, a boolean takes a byte. */
  private def skipElement(kind: Int, depth: Int): Unit =
    skip(
      if (kind == CompactProtocol.True || kind == CompactProtocol.False) CompactProtocol.Byte
      else kind,
      depth + 1
    )

  private def skipBytes(count: Int): Unit = {
    var left = count
    while (left > 0) {
      if (atEnd()) cutOff()
      val step = math.min(left, limit - pos)
      pos += step
      left -= step
    }
  }

  private def checkKnown(kind: Int): Unit =
    if (CompactProtocol.typeName(kind) == null)
      malformed("a field type from 1 to 13", s"type $kind")

  private def announcedLength(): Int = {
    val length = varint(I32Size)
    if (length > CompactProtocol.MaxString) {
      malformed(
        s"a string of at most ${CompactProtocol.MaxString} bytes",
        s"a string of $length bytes"
      )
    }
    length.toInt
  }

  /** Reads a varint of at most `maxBytes` bytes: seven bits per byte, lowest first. The result is
    * not negative, except for varints of ten bytes, which are only skipped.
    */
  private def varint(maxBytes: Int): Long = {
    var size = Varint.sizeAt(buffer, pos, limit)
    while (size == Varint.Incomplete && limit - pos < maxBytes) {
      if (!fill()) cutOff()
      size = Varint.sizeAt(buffer, pos, limit)
    }
    if (size == Varint.Incomplete || size > maxBytes) {
      malformed(s"a varint of at most $maxBytes bytes", "a longer varint")
    }
    val number = Varint.valueAt(buffer, pos, size)
    pos += size
    number
  }

  private def byte(): Int = {
    if (pos == limit && !fill()) cutOff()
    val byte = buffer(pos) & 0xff
    pos += 1
    byte
  }

  private def cutOff(): Nothing =
    malformed("the rest of the row", s"the end of the input at byte ${base + limit}")

  /** Reads more bytes into the buffer.
    *
    * @return
    *   whether there were any
    */
  private def fill(): Boolean = {
    if (limit == room) makeRoom()
    val read =
      try in.read(buffer, limit, room - limit)
      catch {
        case e: CorruptInputException => malformed(Undamaged, e.getMessage)
      }
    if (read > 0) limit += read
    read > 0
  }

  /** The number of bytes that the buffer can hold. */
  private def room: Int = buffer.length - Padding

  /** Replaces the buffer by one that begins with the bytes from `pos` on, and has room for more. */
  private def makeRoom(): Unit = {
    val kept = limit - pos
    val enough = math.min(length.toLong + BufferSize, Int.MaxValue - 8L - Padding)
    val next = new Array[Byte](math.max(size.toLong, math.min(2L * kept, enough)).toInt + Padding)
    System.arraycopy(buffer, pos, next, 0, kept)
    buffer = next
    base += pos
    limit = kept
    pos = 0
  }
}

private[rdfpatchthrift] object CompactProtocolReader {
  private val BufferSize = 1 << 17
  private final val Padding = 2 * Swar.Size

  /** Reads from the bytes of a message. */
  def of(message: Array[Byte], rowLimit: RowLimit): CompactProtocolReader = {
    // One more byte, for the read that finds the end.
    val size = math.min(message.length + 1L, BufferSize.toLong).toInt
    new CompactProtocolReader(new ByteArrayInputStream(message), rowLimit, size)
  }

  // The longest varints of the integer types, in bytes.
  private final val I16Size = 3
  private final val I32Size = 5
  private final val I64Size = 10

  private def fromZigzag(number: Long): Long = number >>> 1 ^ -(number & 1)
}
