package org.jellyspark.jelly.frames

import java.io.{BufferedInputStream, EOFException, InputStream}

import org.jellyspark.core.formats.InputFile
import org.jellyspark.jelly.wire.Wire

/** Walks the fields of a file's frames without decoding their content. */
private[frames] object FieldWalk {

  /** Whether a field of a frame begins at a byte offset. The file must be delimited. */
  def reaches(file: InputFile, offset: Long): Boolean = {
    val in = new BufferedInputStream(file.open(0, offset))
    try new FieldWalk(in).reaches(offset)
    catch { case _: EOFException => false }
    finally in.close()
  }
}

private final class FieldWalk(in: InputStream) {
  private[this] var at = 0L

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
