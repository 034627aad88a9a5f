package org.jellyspark.formats.jellyrdf

import java.io.ByteArrayInputStream

import org.jellyspark.core.RowValue
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, Iri, Term}
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.WireBytes.{field, number, text}
import org.jellyspark.jelly.wire.Wire

/** Writes and reads Jelly-RDF in memory, and builds options rows. */
object RdfBytes {

  def statement(s: Term, p: Term, o: Term, graph: Term = DefaultGraph): RowValue =
    RowValue(RowOp.Add, s, p, o, graph)

  def namespace(name: String, iri: String): RowValue =
    RowValue(RowOp.PrefixAdd, name = name, value = Iri(iri))

  /** Writes rows without ordinals. */
  def write(rows: Seq[RowValue], options: JellyRdfOptions = JellyRdfOptions()): Array[Byte] =
    RowValue.write(rows, JellyRdf.writer(options))

  /** Writes rows with their frame ordinals. */
  def writeFramed(rows: Seq[(Long, RowValue)], options: JellyRdfOptions): Array[Byte] =
    RowValue.writeRows(
      rows.map { case (frame, row) => row.toRow(frame = frame) },
      JellyRdf.writer(options)
    )

  /** Reads all rows, including namespaces. */
  def read(bytes: Array[Byte], options: ReadOptions = ReadOptions()): Seq[RowValue] =
    RowValue.read(bytes, JellyRdf.reader(options, namespaces = true))

  /** Reads all rows with their frame and row ordinals. */
  def readNumbered(bytes: Array[Byte], namespaces: Boolean = true): Seq[(Long, Long, RowValue)] = {
    val reader =
      JellyRdf.reader(ReadOptions(), namespaces).open(new ByteArrayInputStream(bytes), "")
    Iterator
      .continually(reader)
      .takeWhile(_.next())
      .map(reader => (reader.row.frame, reader.row.seq, RowValue.of(reader.row)))
      .toList
  }

  /** Reads the frame ordinals of all rows. */
  def readFramed(bytes: Array[Byte]): Seq[(Long, RowValue)] =
    readNumbered(bytes).map { case (frame, _, row) => (frame, row) }

  val strict: ReadOptions = ReadOptions(strict = true)

  /** An options row. */
  def options(
      physical: Int = 2,
      logical: Int = 0,
      version: Int = 1,
      generalized: Boolean = false,
      rdfStar: Boolean = false,
      tables: Seq[Long] = Seq(8, 8, 8),
      name: String = ""
  ): Array[Byte] = {
    import Wire.Options._
    def flag(field: Int, set: Boolean) = if (set) number(field, 1) else Array.empty[Byte]
    field(
      JellyRdfFields.Kind.Options,
      text(JellyRdfFields.Options.StreamName, name),
      number(2, physical.toLong),
      flag(Generalized, generalized),
      flag(RdfStar, rdfStar),
      number(MaxNameTableSize, tables(0)),
      number(MaxPrefixTableSize, tables(1)),
      number(MaxDatatypeTableSize, tables(2)),
      number(14, logical.toLong),
      number(Version, version.toLong)
    )
  }
}
