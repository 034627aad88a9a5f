package org.jellyspark.codec

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

/** A row as a value, and both directions in memory. */
final case class RowValue(
    op: PatchOp,
    subject: Term = null,
    predicate: Term = null,
    obj: Term = null,
    graph: Term = DefaultGraph,
    name: String = null,
    value: Term = null
) {
  def toRow: PatchRow = {
    val row = new PatchRow
    row.op = op
    row.subject = subject
    row.predicate = predicate
    row.obj = obj
    row.graph = graph
    row.name = name
    row.value = value
    row
  }
}

object RowValue {

  def of(row: PatchRow): RowValue =
    RowValue(row.op, row.subject, row.predicate, row.obj, row.graph, row.name, row.value)

  def add(term: Term, graph: Term = DefaultGraph): RowValue =
    RowValue(PatchOp.Add, term, Iri("p"), term, graph)

  def header(term: Term): RowValue = RowValue(PatchOp.Header, name = "k", value = term)

  /** Rows without numbers, by their codes; `A` is one statement. */
  def ofCodes(codes: String): Seq[RowValue] = codes.split(" ").toSeq.filter(_.nonEmpty).map {
    case "A"  => add(Iri("s"))
    case code => RowValue(PatchOp.ofCode(code))
  }

  def write(rows: Seq[RowValue], options: PatchOptions = PatchOptions()): Array[Byte] =
    writeNumbered(rows.map(_ -> RowNumbering.NoNumber), options)

  /** Writes rows with the ordinals that a reader gives them, so that they may break rules. */
  def writeAsRead(rows: Seq[RowValue], options: PatchOptions = PatchOptions()): Array[Byte] =
    writeNumbered(rows.zipWithIndex.map { case (row, i) => row -> i.toLong }, options)

  private def writeNumbered(rows: Seq[(RowValue, Long)], options: PatchOptions): Array[Byte] = {
    val out = new ByteArrayOutputStream
    val writer = new PatchWriter(out, options)
    rows.foreach { case (row, seq) => writer.write(row.toRow, seq = seq) }
    writer.finish()
    out.toByteArray
  }

  def read(bytes: Array[Byte], options: ReadOptions = ReadOptions()): Seq[RowValue] = {
    val reader = new PatchReader(new ByteArrayInputStream(bytes), "file", options)
    Iterator.continually(reader).takeWhile(_.next()).map(reader => of(reader.row)).toList
  }

  val strict: ReadOptions = ReadOptions(strict = true)
}
