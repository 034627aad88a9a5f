package org.jellyspark.jelly

import com.google.protobuf.CodedInputStream

/** The ranges of a file between its restart points. */
object Ranges {

  def points(bytes: Array[Byte]): Seq[RestartPoint] = RestartIndex.read(new MemoryFile(bytes))

  /** The bytes of each range; the first is what stands before the first point. */
  def of(bytes: Array[Byte]): Seq[Array[Byte]] = {
    val starts = 0 +: points(bytes).map(_.offset.toInt)
    starts.zip(starts.drop(1) :+ bytes.length).map { case (from, to) => bytes.slice(from, to) }
  }

  /** The number of frames of delimited bytes. */
  def frames(bytes: Array[Byte]): Int = frameLengths(bytes).length

  /** Where the frames of delimited bytes end that have rows. */
  def endsOfRows(bytes: Array[Byte]): Seq[Int] = {
    val lengths = frameLengths(bytes)
    lengths.zip(lengths.scanLeft(0)(_ + _).drop(1)).collect { case (length, end) if length > 1 => end }
  }

  /** The lengths of frames, with what stands before their content. */
  private def frameLengths(bytes: Array[Byte]): Seq[Int] = {
    val in = CodedInputStream.newInstance(bytes)
    Iterator
      .continually(in.getTotalBytesRead)
      .takeWhile(_ => !in.isAtEnd)
      .map { start =>
        in.skipRawBytes(in.readRawVarint32())
        in.getTotalBytesRead - start
      }
      .toSeq
  }
}
