package org.jellyspark.jelly

import java.io.{ByteArrayInputStream, InputStream}

import org.jellyspark.core.InputFile

/** A file in memory. */
final class MemoryFile(bytes: Array[Byte]) extends InputFile {
  override def name: String = "file"

  override def length: Long = bytes.length.toLong

  override def open(offset: Long): InputStream =
    new ByteArrayInputStream(bytes, offset.toInt, bytes.length - offset.toInt)
}
