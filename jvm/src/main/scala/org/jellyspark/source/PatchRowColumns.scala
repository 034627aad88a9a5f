package org.jellyspark.source

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String
import org.jellyspark.UnwritableRowException
import org.jellyspark.codec._

/** Reads rows of a patch out of rows of Spark's, reusing one for all. */
private[source] final class PatchRowColumns(schema: StructType) extends RowColumns {
  private[this] val opColumn = ordinal(PatchColumns.Op)
  private[this] val subjectColumn = new TermColumn(PatchColumns.Subject)
  private[this] val predicateColumn = new TermColumn(PatchColumns.Predicate)
  private[this] val objectColumn = new TermColumn(PatchColumns.Object)
  private[this] val graphColumn = new TermColumn(PatchColumns.Graph)
  private[this] val nameColumn = ordinal(PatchColumns.Name)
  private[this] val valueColumn = new TermColumn(PatchColumns.Value)
  private[this] val patchColumn = ordinal(PatchColumns.Patch)
  private[this] val seqColumn = ordinal(PatchColumns.Seq)

  private[this] val ops: mutable.Map[UTF8String, PatchOp] =
    mutable.HashMap.from(PatchOp.values.map(op => UTF8String.fromString(op.code) -> op))
  private[this] val target = new PatchRow
  private[this] var row: InternalRow = _

  /** The row of a patch that a row of Spark's holds; valid until the next.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if it holds none
    */
  def read(row: InternalRow): PatchRow = {
    this.row = row
    target.set(readOp(), this)
    target
  }

  /** The patch's number in the row read last, or [[RowNumbering.NoNumber]]. */
  def patch: Long = number(patchColumn)

  /** The row's number in the row read last, or [[RowNumbering.NoNumber]]. */
  def seq: Long = number(seqColumn)

  override def subject: Term = subjectColumn.read()

  override def predicate: Term = predicateColumn.read()

  override def obj: Term = objectColumn.read()

  override def graph: Term = graphColumn.read()

  override def name: String =
    if (isNull(nameColumn)) null
    else orFail(PatchColumns.Name)(TermForm.text(row, nameColumn))

  override def value: Term = valueColumn.read()

  private def readOp(): PatchOp = {
    val op = if (isNull(opColumn)) None else ops.get(row.getUTF8String(opColumn))
    op.getOrElse(fail(PatchOp.Rule))
  }

  private def number(column: Int): Long =
    if (isNull(column)) RowNumbering.NoNumber else row.getLong(column)

  private def isNull(column: Int): Boolean = column < 0 || row.isNullAt(column)

  private def ordinal(column: String): Int =
    schema.indexWhere(field => PatchColumns.canonical(field.name) == column)

  private def orFail[A](column: String)(read: => A): A =
    try read
    catch { case e: NTriples.SyntaxException => fail(s"$column: ${e.getMessage}") }

  private def fail(rule: String): Nothing = {
    val content = schema.fields.toSeq.zipWithIndex.map { case (field, i) =>
      field.name -> (row.get(i, field.dataType) match {
        case struct: InternalRow =>
          (0 until struct.numFields).map(struct.get(_, StringType)).mkString("{", ", ", "}")
        case value => value
      })
    }
    throw new UnwritableRowException(rule, RowText(content))
  }

  /** A column of terms, which remembers the last: rows often repeat them. */
  private final class TermColumn(name: String) {
    private[this] val column = ordinal(name)
    private[this] val form =
      if (column < 0) TermForm.Text else TermForm.of(schema(column).dataType)
    private[this] var lastText: UTF8String = _
    private[this] var last: Term = _

    def read(): Term =
      if (isNull(column)) null
      else if (form == TermForm.Text) readText()
      else parse()

    private def readText(): Term = {
      val text = row.getUTF8String(column)
      if (text != lastText) {
        last = parse()
        lastText = text.clone()
      }
      last
    }

    private def parse(): Term = orFail(name)(form.toTerm(row, column))
  }
}
