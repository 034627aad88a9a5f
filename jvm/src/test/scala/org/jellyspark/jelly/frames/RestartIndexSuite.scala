package org.jellyspark.jelly.frames

import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.formats.jellyrdf.{JellyRdf, JellyRdfFields, RdfBytes}
import org.jellyspark.jelly.ColumnReading
import org.jellyspark.jelly.ColumnReading.MemoryFile
import org.jellyspark.jelly.WireBytes._
import org.jellyspark.jelly.wire.Wire

class RestartIndexSuite extends AnyFunSuite {
  private val offset = 100L

  private def row(literal: Array[Byte]): Array[Byte] =
    field(JellyRdfFields.Kind.Triple, text(2, "s"), text(6, "p"), field(11, field(1, literal)))

  /** A file whose last bytes are those of an index, in a row or a field of the last frame. All of
    * them are ASCII, so they may be text.
    *
    * @param last
    *   the rest of the last frame, with the index of a file of this length
    */
  private def file(last: Array[Byte] => Array[Byte]): Array[Byte] = {
    // The length of the file is found by trying, as it is in the index.
    def of(padding: Int, length: Long): Array[Byte] = {
      val index = RestartIndex.encode(Seq(RestartPoint(offset, 1, 2, 0, 0, 0, false)), length)
      val first = frame(RdfBytes.options(physical = 1), row(Array.fill(padding)('x')))
      first ++ sized(rows(row("o".getBytes(UTF_8))) ++ last(index))
    }
    (0 to 300).iterator
      .map(padding => of(padding, of(padding, 0).length.toLong))
      .find(bytes => org.jellyspark.core.bytes.Utf8.isValid(bytes, bytes.length - 24, bytes.length))
      .get
  }

  private def entry(key: String, value: Array[Byte]): Array[Byte] =
    field(Wire.FrameMetadata, text(Wire.Metadata.Key, key), field(Wire.Metadata.Value, value))

  private def points(bytes: Array[Byte]): Int = RestartIndex.read(new MemoryFile(bytes)).length

  private def checkIsNone(bytes: Array[Byte]): Unit = {
    assert(points(bytes) == 0)
    val whole = RdfBytes.read(bytes)
    (1 to bytes.length by 7).foreach { end =>
      val parts = ColumnReading.inParts(JellyRdf, bytes, Map.empty, Seq(end.toLong))
      assert(parts.forall(_.error.isEmpty))
      assert(parts.map(_.rows.length).sum == whole.length)
    }
  }

  test("a literal that is an index") {
    checkIsNone(file(index => rows(row(index))))
  }

  test("a literal that holds the field of an index") {
    checkIsNone(file(index => rows(row(entry(RestartIndex.Key, index)))))
  }

  test("the value of another key, and of the key in an unknown field") {
    checkIsNone(file(index => entry("jelly-spark.inder", index)))
    checkIsNone(file(index => field(99, entry(RestartIndex.Key, index))))
  }

  test("the value of the key in the metadata, also where it could be text") {
    assert(points(file(index => entry(RestartIndex.Key, index))) == 1)
  }
}
