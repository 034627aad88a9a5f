package org.jellyspark.jelly.frames

import java.io.{ByteArrayInputStream, InputStream}

import org.jellyspark.MalformedInputException
import org.jellyspark.core.{OneByteStream, PropertySuite}
import org.jellyspark.jelly.WireBytes._

class FrameReaderSuite extends PropertySuite {

  /** Reads a stream: the rows of each frame. */
  private def read(in: InputStream): List[List[List[Byte]]] = {
    val reader = new FrameReader(in, "file")
    val frames = List.newBuilder[List[List[Byte]]]
    val rows = List.newBuilder[List[Byte]]
    var event = reader.next()
    while (event != FrameReader.StreamEnd) {
      if (event == FrameReader.FrameEnd) {
        frames += rows.result()
        rows.clear()
      } else
        rows += reader.rowBuffer.slice(reader.rowStart, reader.rowStart + reader.rowLength).toList
      event = reader.next()
    }
    frames.result()
  }

  private def read(bytes: Array[Byte]): List[List[List[Byte]]] =
    read(new ByteArrayInputStream(bytes))

  private def error(bytes: Array[Byte]): MalformedInputException =
    intercept[MalformedInputException](read(bytes))

  private val row = Array[Byte](1, 2, 3)

  test("an empty stream has no frames") {
    assert(read(Array.empty[Byte]) == Nil)
  }

  test("delimited frames, also empty ones") {
    val bytes = frame(row, row) ++ frame() ++ frame(Array.empty[Byte])
    assert(read(bytes) == List(List(row.toList, row.toList), Nil, List(Nil)))
  }

  test("undelimited input is one frame") {
    assert(read(rows(row, row)) == List(List(row.toList, row.toList)))
  }

  test("a delimited first frame of ten bytes is not taken for undelimited input") {
    val eight = Array.tabulate[Byte](8)(_.toByte)
    assert(frame(eight)(0) == 0x0a)
    assert(read(frame(eight)) == List(List(eight.toList)))
  }

  test("a delimited first frame of ten bytes of metadata is not taken for undelimited input") {
    def entries(sizes: Int*) = sizes.toArray.flatMap(size => field(15, new Array[Byte](size)))
    Seq(entries(8), entries(3, 3), entries(0, 6)).foreach { metadata =>
      assert(read(sized(metadata) ++ frame(row)) == List(Nil, List(row.toList)))
    }
  }

  test("undelimited input whose first row is 122 bytes long") {
    val long = Array.fill[Byte](122)(10)
    assert(read(rows(long, row)) == List(List(long.toList, row.toList)))
  }

  test("undelimited input whose first row is ten bytes long") {
    val ten = Array.tabulate[Byte](10)(i => (i + 10).toByte)
    assert(read(rows(ten, row)) == List(List(ten.toList, row.toList)))
  }

  test("a stream may return one byte at a time") {
    forAll { (frames: List[List[Array[Byte]]]) =>
      val bytes = frame(row) ++ frames.toArray.flatMap(rows => frame(rows: _*))
      assert(read(OneByteStream(bytes)) == List(row.toList) :: frames.map(_.map(_.toList)))
    }
    assert(read(OneByteStream(rows(row, row))) == List(List(row.toList, row.toList)))
  }

  test("rows longer than the buffer, after shorter ones") {
    val long = Array.fill[Byte](200000)(7)
    assert(read(frame(row, long, row)) == List(List(row.toList, long.toList, row.toList)))
  }

  test("unknown fields of a frame are skipped") {
    val group = hex("a301 0801 12026162 a401")
    val unknown =
      number(20, 300) ++ hex("a501 01020304 a101 0102030405060708") ++ text(20, "x") ++ group
    assert(read(sized(unknown ++ rows(row) ++ unknown)) == List(List(row.toList)))
  }

  test("delimited input that ends inside a frame is an error") {
    val first = frame(row, row)
    val bytes = first ++ frame(row)
    for (length <- 1 until bytes.length if length != first.length) {
      val offset = if (length < first.length) 0L else first.length.toLong
      assert(error(bytes.take(length)).offset == offset, s"after $length bytes")
    }
  }

  test("undelimited input that ends inside a row is an error") {
    val bytes = rows(row, row)
    for (length <- 1 until bytes.length if length != 5) error(bytes.take(length))
    assert(read(bytes.take(5)) == List(List(row.toList)))
  }

  test("an error names the file, the offset of the frame and the row") {
    val found = error(frame(row) ++ sized(rows(row) ++ hex("0a05 01")))
    assert(found.file == "file")
    assert(found.offset == frame(row).length.toLong)
    assert(found.row == 1)
    assert(found.getMessage.startsWith("file: frame at byte 6, row 1: expected "))
  }

  test("malformed frames") {
    Seq(
      "80" * 10 + "01", // a varint of 11 bytes
      "ffffffff0f", // a frame over 2 GiB
      "01 02", // field 0
      "02 a301", // a group without an end
      "02 a401", // the end of no group
      "04 a301ac01", // the end of another group
      "02 a601", // wire type 6
      "02 0a05", // a row longer than its frame
      "03 a2010500" // an unknown field longer than its frame
    ).foreach(bytes => withClue(bytes)(error(hex(bytes))))
  }

  test("nested groups are skipped up to a limit") {
    def nested(depth: Int) = sized(hex("a301" * depth + "a401" * depth))
    Seq(50, 99, 100).foreach(depth => assert(read(nested(depth)) == List(Nil)))
    Seq(101, 1000).foreach(depth => error(nested(depth)))
    error(sized(hex("a301" * 100000)))
  }

  test("a reader that looks beyond the end of a range goes back to it") {
    for (first <- 65500 to 65540; second <- Seq(3, 100000)) {
      val before = frame(new Array[Byte](first))
      val bytes = before ++ frame(new Array[Byte](second), row)
      val reader = new FrameReader(new ByteArrayInputStream(bytes), "file")
      def next(): Int = {
        val event = reader.next()
        if (event == FrameReader.Row) reader.rowLength else -event
      }
      def found(events: Int) = Seq.fill(events)(next())
      reader.startRange(before.length.toLong)
      assert(found(3) == Seq(first, -FrameReader.FrameEnd, -FrameReader.StreamEnd))
      reader.passEnd()
      assert(next() == second)
      reader.startRange(Long.MaxValue)
      assert(
        found(4) == Seq(second, row.length, -FrameReader.FrameEnd, -FrameReader.StreamEnd)
      )
    }
  }

  test("an undelimited file has no ranges") {
    val reader = new FrameReader(new ByteArrayInputStream(rows(row, row)), "file")
    reader.startRange(5)
    val e = intercept[MalformedInputException](reader.next())
    assert(e.found == "a file that is one undelimited frame")
  }

  test("no memory is reserved for announced lengths") {
    val gigabyte = 1L << 30
    val row = hex("0a") ++ varint(gigabyte - 10) ++ hex("0102")
    val unknown = hex("a201") ++ varint(gigabyte - 10) ++ hex("0102")
    Seq(row, unknown, rows(Array[Byte](1)) ++ row).foreach { content =>
      val before = allocated
      error(varint(gigabyte) ++ content)
      assert(allocated - before < (1 << 20))
    }
  }

  private def allocated: Long =
    java.lang.management.ManagementFactory.getThreadMXBean
      .asInstanceOf[com.sun.management.ThreadMXBean]
      .getCurrentThreadAllocatedBytes
}
