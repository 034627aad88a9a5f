package org.jellyspark.core

import java.io.{ByteArrayInputStream, InputStream}

/** Streams whose every read returns at most one byte. */
object OneByteStream {
  def apply(bytes: Array[Byte]): InputStream = new ByteArrayInputStream(bytes) {
    override def read(into: Array[Byte], start: Int, length: Int): Int =
      super.read(into, start, math.min(1, length))
  }
}
