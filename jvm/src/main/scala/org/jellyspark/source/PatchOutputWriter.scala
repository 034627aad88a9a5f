package org.jellyspark.source

import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.TaskAttemptContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.OutputWriter
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String
import org.jellyspark.UnwritableRowException
import org.jellyspark.codec._

/** Writes the rows of one task (and partition value) as one patch file. */
private[source] final class PatchOutputWriter(
    override val path: String,
    schema: StructType,
    options: PatchOptions,
    compression: Compression,
    context: TaskAttemptContext
) extends OutputWriter {
  private[this] val out =
    Compression.create(new Path(path), context.getConfiguration, compression)
  private[this] val writer = new PatchWriter(out, options)
  private[this] val columns = new PatchRowColumns(schema)
  private[this] var failed = false

  override def write(row: InternalRow): Unit = {
    failed = true
    writer.write(columns.toPatchRow(row), columns.patch(row), columns.tx(row))
    failed = false
  }

  /** Called when all went well, and also after a failure: then nothing more is written. */
  override def close(): Unit =
    try if (!failed) writer.finish()
    finally out.close()
}

/** Reads a [[PatchRow]] out of a row of Spark's, reusing it. */
private final class PatchRowColumns(schema: StructType) {
  private[this] val op = ordinal(PatchColumns.Op)
  private[this] val subject = new TermColumn(PatchColumns.Subject)
  private[this] val predicate = new TermColumn(PatchColumns.Predicate)
  private[this] val obj = new TermColumn(PatchColumns.Object)
  private[this] val graph = new TermColumn(PatchColumns.Graph)
  private[this] val name = ordinal(PatchColumns.Name)
  private[this] val value = new TermColumn(PatchColumns.Value)
  private[this] val patchNumber = ordinal(PatchColumns.Patch)
  private[this] val txNumber = ordinal(PatchColumns.Tx)
  private[this] val target = new PatchRow

  /** The row with the columns that its op has; the others are not looked at. */
  def toPatchRow(row: InternalRow): PatchRow = {
    target.clear()
    target.op = readOp(row)
    target.op match {
      case PatchOp.Add | PatchOp.Delete =>
        target.subject = subject.read(row)
        target.predicate = predicate.read(row)
        target.obj = obj.read(row)
        target.graph = readGraph(row)
      case PatchOp.PrefixAdd | PatchOp.PrefixDelete =>
        target.name = readName(row)
        target.value = value.read(row)
        target.graph = readGraph(row)
      case PatchOp.Header =>
        target.name = readName(row)
        target.value = value.read(row)
      case _ =>
    }
    target
  }

  def patch(row: InternalRow): Long = number(row, patchNumber)

  def tx(row: InternalRow): Long = number(row, txNumber)

  private def readOp(row: InternalRow): PatchOp = {
    val code = if (row.isNullAt(op)) null else row.getUTF8String(op).toString
    val found = if (code == null) null else PatchOp.ofCode(code)
    if (found == null) {
      fail(row, s"op must be one of: ${PatchOp.values.map(_.code).mkString(", ")}")
    }
    found
  }

  private def readName(row: InternalRow): String =
    if (name < 0 || row.isNullAt(name)) null
    else readValid(row, PatchColumns.Name)(TermForm.text(row, name))

  private def readGraph(row: InternalRow): Term = {
    val term = graph.read(row)
    if (term == null) DefaultGraph else term
  }

  private def number(row: InternalRow, ordinal: Int): Long =
    if (ordinal < 0 || row.isNullAt(ordinal)) PatchWriter.NoNumber else row.getLong(ordinal)

  private def ordinal(column: String): Int =
    schema.indexWhere(field => PatchColumns.canonical(field.name) == column)

  private def readValid[A](row: InternalRow, column: String)(read: => A): A =
    try read
    catch { case e: NTriples.SyntaxException => fail(row, s"$column: ${e.getMessage}") }

  private def fail(row: InternalRow, rule: String): Nothing = {
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
    private[this] val index = ordinal(name)
    private[this] val form =
      if (index < 0) TermForm.Text else TermForm.of(schema(index).dataType)
    private[this] var lastText: UTF8String = _
    private[this] var last: Term = _

    def read(row: InternalRow): Term =
      if (index < 0 || row.isNullAt(index)) null
      else if (form == TermForm.Text) readText(row)
      else parse(row)

    private def readText(row: InternalRow): Term = {
      val text = row.getUTF8String(index)
      if (text != lastText) {
        last = parse(row)
        lastText = text.clone()
      }
      last
    }

    private def parse(row: InternalRow): Term = readValid(row, name)(form.toTerm(row, index))
  }
}
