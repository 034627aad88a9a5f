package org.jellyspark.jena.engine

import java.io.{BufferedInputStream, FilterInputStream, InputStream}

import eu.neverblink.jelly.core.proto.v1.RdfStreamFrame
import eu.neverblink.jelly.core.utils.IoUtils

import org.jellyspark.source.files.WatchedStream

/** Reads the frames of a file, delimited or not, with Jelly-JVM. */
private[engine] final class FrameInput(in: InputStream) {
  private[this] val watched = new WatchedStream(in)
  private[this] var counted: CountedStream = _
  private[this] var isDelimited = false
  private[this] var exhausted = false

  /** The number of bytes before the next frame. */
  def offset: Long = if (counted == null) 0 else counted.count

  /** Whether reading the file failed, as opposed to an error in its content. */
  def hasFailed: Boolean = watched.hasFailed

  /** Returns the next frame; null if there is none. */
  def next(): RdfStreamFrame = {
    if (counted == null) start()
    if (exhausted) null
    else if (isDelimited) RdfStreamFrame.parseDelimitedFrom(counted)
    else {
      exhausted = true
      RdfStreamFrame.parseFrom(counted)
    }
  }

  private def start(): Unit = {
    val found =
      IoUtils.autodetectDelimiting(new BufferedInputStream(watched, FrameInput.BufferSize))
    isDelimited = found.isDelimited
    counted = new CountedStream(found.newInput)
  }
}

private object FrameInput {
  private final val BufferSize = 1 << 16
}

/** Counts the bytes read. */
private final class CountedStream(in: InputStream) extends FilterInputStream(in) {
  var count: Long = 0

  override def read(): Int = {
    val byte = in.read()
    if (byte >= 0) count += 1
    byte
  }

  override def read(bytes: Array[Byte], from: Int, length: Int): Int = {
    val read = in.read(bytes, from, length)
    if (read > 0) count += read
    read
  }

  override def skip(bytes: Long): Long = {
    val skipped = in.skip(bytes)
    count += skipped
    skipped
  }
}
