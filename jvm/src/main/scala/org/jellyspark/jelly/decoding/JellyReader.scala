package org.jellyspark.jelly.decoding

import org.jellyspark.core.formats.{BatchRequest, RowReader}
import org.jellyspark.core.rows.{Column, Row, RowFilter, RowOp}
import org.jellyspark.core.terms.{Term, TermValues}

/** Reads the rows of one Jelly file or stream.
  *
  * @param rows
  *   whose terms are of [[TermValues]]
  */
private[jellyspark] final class JellyReader(rows: RangeReader) extends RowReader {
  private[this] val decoder = rows.decoder

  override val row = new Row

  override def next(): Boolean = {
    val op = rows.next()
    if (op != null) fill(op)
    op != null
  }

  private def fill(op: RowOp): Unit = {
    row.clear()
    row.op = op
    if (JellyDecoder.isStatement(op)) {
      row.subject = term(TermReader.Subject)
      row.predicate = term(TermReader.Predicate)
      row.obj = term(TermReader.Object)
      Column.Graph.set(row, term(TermReader.Graph))
    } else if (op.hasName) {
      row.name = decoder.name.asInstanceOf[String]
      row.value = decoder.value.asInstanceOf[Term]
      if (decoder.hasGraph) Column.Graph.set(row, term(TermReader.Graph))
    }
    row.patch = rows.numbering.patch
    row.transaction = rows.numbering.transaction
    row.frame = rows.frame
    row.seq = rows.numbering.seq
  }

  private def term(position: Int): Term = decoder.terms(position).asInstanceOf[Term]
}

private[jellyspark] object JellyReader {

  /** What the rows of a reader hold: all columns of a format, and all rows. */
  def request(columns: Seq[Column]): BatchRequest =
    BatchRequest(columns.toSet, RowFilter.All, TermValues)
}
