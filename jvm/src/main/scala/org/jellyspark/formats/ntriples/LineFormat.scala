package org.jellyspark.formats.ntriples

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.text.TextOutput

/** The N-Triples format: one triple per line. */
object NTriplesFormat extends LineFormat(hasGraphs = false) {
  override def shortName: String = "ntriples"

  override def title: String = "N-Triples"

  override def extension: String = ".nt"
}

/** The N-Quads format: one quad per line. */
object NQuadsFormat extends LineFormat(hasGraphs = true) {
  override def shortName: String = "nquads"

  override def title: String = "N-Quads"

  override def extension: String = ".nq"
}

/** A format with one statement per line.
  *
  * Lines do not depend on each other, so a file can be read from any byte offset. For the same
  * reason its rows have no `seq` in Spark: computing it would need all earlier lines.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  */
sealed abstract class LineFormat(hasGraphs: Boolean) extends RowFormat {
  import Column.{Frame, Graph, Name, Object, Predicate, Subject, Value}

  override def columns(options: Map[String, String]): Seq[Column] =
    List(Subject, Predicate, Object, Graph)

  /** The columns of a Jelly-RDF statement. */
  override val allColumns: Seq[Column] =
    List(Subject, Predicate, Object, Graph, Name, Value, Frame, Column.Seq)

  /** Columns of Jelly-RDF that are ignored, so that its rows can be written unchanged. */
  override def ignoredColumns: Seq[Column] = List(Frame, Column.Seq)

  override def canSkipRows: Boolean = true

  override def canSplit: Boolean = true

  override def optionNames: Seq[String] = RowFormat.ReadKeys

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    val (strict, rowLimit) = (RowFormat.strict(parser), RowFormat.rowLimit(parser))
    (in, file, part) => {
      in.skipNBytes(LineInput.startOf(part))
      val lines = new LineInput(in, file, part, rowLimit)
      new LineRowReader(lines, new LineParser(hasGraphs, strict, rowLimit))
    }
  }

  override def batchReader(
      options: Map[String, String],
      request: BatchRequest
  ): BatchReaderFactory = {
    val parser = new OptionParser(options)
    val (strict, rowLimit) = (RowFormat.strict(parser), RowFormat.rowLimit(parser))
    (file, part) => new LineBatchReader(file, part, hasGraphs, strict, rowLimit, request)
  }

  override def writer(options: Map[String, String]): WriterFactory =
    out => new EncodingWriter(new LineEncoder(new TextOutput(out), hasGraphs), allColumns)
}
