package org.jellyspark.core

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import org.jellyspark.core.formats.{ReaderFactory, WriterFactory}
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.{DefaultGraph, Iri, Term}

/** A row as an immutable value, and helpers that write and read rows in memory. */
final case class RowValue(
    op: RowOp,
    subject: Term = null,
    predicate: Term = null,
    obj: Term = null,
    graph: Term = DefaultGraph,
    name: String = null,
    value: Term = null
) {

  /** A mutable row with these ordinals. */
  def toRow(
      patch: Long = Row.NoNumber,
      frame: Long = Row.NoNumber,
      seq: Long = Row.NoNumber
  ): Row = {
    val row = new Row
    row.op = op
    row.subject = subject
    row.predicate = predicate
    row.obj = obj
    row.graph = graph
    row.name = name
    row.value = value
    row.patch = patch
    row.frame = frame
    row.seq = seq
    row
  }
}

object RowValue {

  def of(row: Row): RowValue =
    RowValue(row.op, row.subject, row.predicate, row.obj, row.graph, row.name, row.value)

  def add(term: Term, graph: Term = DefaultGraph): RowValue =
    RowValue(RowOp.Add, term, Iri("p"), term, graph)

  def header(term: Term): RowValue = RowValue(RowOp.Header, name = "k", value = term)

  /** Rows without ordinals, by their codes; each `A` is the same statement. */
  def ofCodes(codes: String): Seq[RowValue] = codes.split(" ").toSeq.filter(_.nonEmpty).map {
    case "A"  => add(Iri("s"))
    case code => RowValue(RowOp.ofCode(code))
  }

  def write(rows: Seq[RowValue], writer: WriterFactory): Array[Byte] =
    writeRows(rows.map(_.toRow()), writer)

  /** Writes rows with the ordinals that a reader would give them, so that they may break the rules
    * on transactions.
    */
  def writeAsRead(rows: Seq[RowValue], writer: WriterFactory): Array[Byte] =
    writeRows(rows.zipWithIndex.map { case (row, i) => row.toRow(seq = i.toLong) }, writer)

  def writeRows(rows: Seq[Row], factory: WriterFactory): Array[Byte] = {
    val out = new ByteArrayOutputStream
    val writer = factory.open(out)
    rows.foreach(writer.write)
    writer.finish()
    out.toByteArray
  }

  def read(bytes: Array[Byte], factory: ReaderFactory): Seq[RowValue] = {
    val reader = factory.open(new ByteArrayInputStream(bytes), "file")
    Iterator.continually(reader).takeWhile(_.next()).map(reader => of(reader.row)).toList
  }
}
