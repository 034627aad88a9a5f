package org.jellyspark.services

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, InputStream, OutputStream}

import org.apache.jena.rdfpatch.{RDFPatch, RDFPatchOps}

import org.jellyspark.core.formats.RowFormat
import org.jellyspark.formats.jellypatch.JellyPatch
import org.jellyspark.formats.rdfpatch.RdfPatch

/** Jena's patches as messages, by media type. Jena reads and writes text and Thrift. Jelly-Patch
  * goes through text, which Jelly Spark's codec converts.
  */
private[services] object Messages {
  val Text = "application/rdf-patch"
  val Thrift = "application/rdf-patch+thrift"
  val Jelly = "application/x-jelly-rdf-patch"

  def read(mediaType: String, message: Array[Byte]): RDFPatch = {
    val in = new ByteArrayInputStream(message)
    mediaType match {
      case Text   => RDFPatchOps.read(in)
      case Thrift => RDFPatchOps.readBinary(in)
      case Jelly  => read(Text, convert(JellyPatch, in, RdfPatch, Map.empty))
      case _      => sys.error(s"no patch: $mediaType")
    }
  }

  def write(mediaType: String, patch: RDFPatch): Array[Byte] = mediaType match {
    case Text   => written(RDFPatchOps.write(_, patch))
    case Thrift => written(RDFPatchOps.writeBinary(_, patch))
    case Jelly  =>
      val text = new ByteArrayInputStream(write(Text, patch))
      convert(RdfPatch, text, JellyPatch, Map("delimited" -> "false"))
    case _ => sys.error(s"no patch: $mediaType")
  }

  private def convert(
      from: RowFormat,
      in: InputStream,
      to: RowFormat,
      options: Map[String, String]
  ): Array[Byte] = written { out =>
    val reader = from.reader(Map.empty).open(in, "message")
    val writer = to.writer(options).open(out)
    while (reader.next()) writer.write(reader.row)
    writer.finish()
  }

  private def written(write: OutputStream => Unit): Array[Byte] = {
    val out = new ByteArrayOutputStream
    write(out)
    out.toByteArray
  }
}
