package org.jellyspark.jelly.decoding

import org.jellyspark.core.formats.{BatchRequest, RowReader}
import org.jellyspark.core.rows.{Column, Row, RowFilter, RowOp}
import org.jellyspark.core.terms.{Term, TermValues}

/** Reads the rows of one Jelly file or stream.
  *
  * @param rows
  *   the rows, read for the request of [[JellyReader.request]]
  */
private[jellyspark] final class JellyReader(rows: RangeReader) extends RowReader {
  private[this] val decoded = rows.row

  override val row = new Row

  override def next(): Boolean = {
    val op = rows.next()
    if (op != null) fill(op)
    op != null
  }

  private def fill(op: RowOp): Unit = {
    row.clear()
    row.op = op
    if (DecodedRow.isStatement(op)) {
      row.subject = term(Position.Subject)
      row.predicate = term(Position.Predicate)
      row.obj = term(Position.Object)
      Column.Graph.set(row, term(Position.Graph))
    } else if (op.hasName) {
      row.name = decoded.name.asInstanceOf[String]
      row.value = decoded.value.asInstanceOf[Term]
      if (decoded.hasGraph) Column.Graph.set(row, term(Position.Graph))
    }
    row.patch = rows.numbering.patch
    row.transaction = rows.numbering.transaction
    row.frame = rows.frame
    row.seq = rows.numbering.seq
  }

  private def term(position: Int): Term = decoded.terms(position).asInstanceOf[Term]
}

private[jellyspark] object JellyReader {

  /** The request for all rows and columns of a format. */
  def request(columns: Seq[Column]): BatchRequest =
    BatchRequest(columns.toSet, RowFilter.All, TermValues)
}
