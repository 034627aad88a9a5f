package org.jellyspark.jelly

import com.google.protobuf.CodedInputStream
import org.scalacheck.Gen
import org.scalatest.Assertions

import org.jellyspark.core.formats.RowFormat
import org.jellyspark.jelly.frames.{RestartIndex, RestartPoint}
import org.jellyspark.jelly.wire.Wire

/** The restart ranges of a file. */
object Ranges extends Assertions {

  def points(bytes: Array[Byte]): Seq[RestartPoint] =
    RestartIndex.read(new ColumnReading.MemoryFile(bytes))

  /** The bytes of each range; the first one ends at the first restart point. */
  def of(bytes: Array[Byte]): Seq[Array[Byte]] = {
    val starts = 0 +: points(bytes).map(_.offset.toInt)
    starts.zip(starts.drop(1) :+ bytes.length).map { case (from, to) => bytes.slice(from, to) }
  }

  /** Random offsets at which to split a file. */
  def splits(bytes: Array[Byte]): Gen[List[Long]] = {
    val anywhere = Gen.choose(1L, bytes.length.toLong + 1)
    val points = Ranges.points(bytes).map(_.offset)
    val around = Gen.oneOf(0L, 1L, -1L)
    val near = Gen.oneOf(1L +: points).flatMap(at => around.map(by => math.max(1L, at + by)))
    Gen.choose(0, 4).flatMap(Gen.listOfN(_, Gen.oneOf(anywhere, near)))
  }

  /** Asserts that the parts of a file have the rows of the whole, in all columns. */
  def checkParts(
      format: RowFormat,
      bytes: Array[Byte],
      options: Map[String, String],
      ends: Seq[Long]
  ): Unit = {
    val whole = ColumnReading.inParts(format, bytes, options, Nil).head
    val parts = ColumnReading.inParts(format, bytes, options, ends)
    assert(whole.error.isEmpty && parts.forall(_.error.isEmpty))
    assert(parts.flatMap(_.rows) == whole.rows)
    ()
  }

  /** The number of frames of delimited bytes. */
  def frames(bytes: Array[Byte]): Int = framesOf(bytes).length

  /** The ends of the frames with rows. */
  def endsOfRows(bytes: Array[Byte]): Seq[Int] =
    framesOf(bytes).collect { case (end, true) => end }

  /** The end of each frame, and whether it has rows. */
  private def framesOf(bytes: Array[Byte]): Seq[(Int, Boolean)] = {
    val in = CodedInputStream.newInstance(bytes)
    Iterator
      .continually(in)
      .takeWhile(!_.isAtEnd)
      .map { in =>
        val length = in.readRawVarint32()
        val start = in.getTotalBytesRead
        in.skipRawBytes(length)
        (start + length, length > 0 && bytes(start) == Wire.lengthTag(Wire.FrameRows))
      }
      .toList
  }
}
