package org.jellyspark.formats.jellypatch

import com.google.protobuf.CodedInputStream

import org.jellyspark.formats.jellyrdf.{RdfBytes, JellyRdfFields}
import org.jellyspark.jelly.WireBytes
import org.jellyspark.jelly.wire.Wire

/** Converts a Jelly-Patch file to Jelly-RDF, which Jelly-JVM can read. The messages of statements,
  * lookup entries and triple terms are the same. Other rows must not have terms; they are left out.
  */
object PatchAsRdf {
  import JellyPatchFields.{Kind => From}
  import JellyRdfFields.{Kind => To}

  /** Converts a file. Frames that become empty are left out: Jelly-JVM rejects empty first frames.
    */
  def convert(bytes: Array[Byte], options: JellyPatchOptions): Array[Byte] = {
    val in = CodedInputStream.newInstance(bytes)
    Iterator
      .continually(in)
      .takeWhile(!_.isAtEnd)
      .map(in => rowsOf(in.readByteArray()).flatMap(row(_, options)))
      .filter(_.nonEmpty)
      .flatMap(rows => WireBytes.frame(rows: _*))
      .toArray
  }

  /** The rows of a frame. */
  private def rowsOf(frame: Array[Byte]): Seq[Array[Byte]] = {
    val in = CodedInputStream.newInstance(frame)
    Iterator
      .continually(in.readTag())
      .takeWhile(_ != 0)
      .map(tag => tag -> in.readByteArray())
      .toList
      .collect { case (tag, row) if tag == Wire.lengthTag(Wire.FrameRows) => row }
  }

  private def row(row: Array[Byte], options: JellyPatchOptions): Option[Array[Byte]] = {
    val in = CodedInputStream.newInstance(row)
    val kind = in.readTag() >>> 3
    val message = in.readByteArray()
    val isTriples = options.statementType == StatementType.Triples
    kind match {
      case From.Options =>
        val terms = options.terms
        val tables =
          Seq(terms.maxNameTableSize, terms.maxPrefixTableSize, terms.maxDatatypeTableSize)
        Some(
          RdfBytes.options(
            physical = if (isTriples) 1 else 2,
            generalized = true,
            rdfStar = true,
            tables = tables.map(_.toLong)
          )
        )
      case From.StatementAdd | From.StatementDelete =>
        Some(WireBytes.field(if (isTriples) To.Triple else To.Quad, message))
      case From.Name     => Some(WireBytes.field(To.Name, message))
      case From.Prefix   => Some(WireBytes.field(To.Prefix, message))
      case From.Datatype => Some(WireBytes.field(To.Datatype, message))
      case _             => None
    }
  }
}
