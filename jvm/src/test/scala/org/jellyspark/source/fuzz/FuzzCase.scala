package org.jellyspark.source.fuzz

import java.io.{ByteArrayInputStream, DataInputStream, InputStream}
import java.nio.charset.StandardCharsets.UTF_8

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.jellyspark.core.formats.RowFormat
import org.jellyspark.formats.jellypatch.JellyPatch
import org.jellyspark.formats.jellyrdf.JellyRdf
import org.jellyspark.formats.ntriples.{NQuadsFormat, NTriplesFormat}
import org.jellyspark.formats.rdfpatch.RdfPatch
import org.jellyspark.formats.rdfpatchthrift.RdfPatchThrift
import org.jellyspark.source.files.{Compression, DecompressedStream}

/** A mutated file, and how it is read: what `tests/fuzz/cases.py` writes.
  *
  * @param extension
  *   of the codec that compresses the file, with the dot; empty for none
  * @param parts
  *   the offsets at which the file is cut for reading in parts
  * @param seed
  *   of the choices that are made on the JVM only
  * @param where
  *   the values of columns in the rows that are looked for; empty to look for none
  */
private[fuzz] final case class FuzzCase(
    format: RowFormat,
    options: Map[String, String],
    extension: String,
    parts: Seq[Long],
    seed: Long,
    where: Map[String, String],
    bytes: Array[Byte]
) {

  /** Opens the file, decompressed. */
  def open(): InputStream = {
    val file = new ByteArrayInputStream(bytes)
    val compression = Compression.of(new Path("case" + extension))
    if (compression == Compression.Uncompressed) file
    else new DecompressedStream(file, compression.decompress(_, FuzzCase.Conf))
  }
}

private[fuzz] object FuzzCase {
  private val Conf = new Configuration(false)

  private val formats: Map[String, RowFormat] =
    List(JellyPatch, JellyRdf, NQuadsFormat, NTriplesFormat, RdfPatch, RdfPatchThrift)
      .map(format => format.shortName -> format)
      .toMap

  def read(in: DataInputStream): FuzzCase = {
    val format = formats(in.readUTF())
    val options = pairs(in.readUTF(), ' ')
    val extension = in.readUTF()
    val parts = Seq.fill(in.readInt())(in.readLong())
    val seed = in.readLong()
    val where = new Array[Byte](in.readUnsignedShort())
    in.readFully(where)
    val bytes = new Array[Byte](in.readInt())
    in.readFully(bytes)
    FuzzCase(format, options, extension, parts, seed, pairs(new String(where, UTF_8), '\n'), bytes)
  }

  private def pairs(text: String, separator: Char): Map[String, String] =
    text
      .split(separator)
      .filter(_.nonEmpty)
      .map { pair =>
        pair.takeWhile(_ != '=') -> pair.dropWhile(_ != '=').drop(1)
      }
      .toMap
}
