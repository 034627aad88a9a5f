package org.jellyspark.jelly.decoding

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, RowFilter, RowOp}
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.wire._

/** Decodes statements, and the graphs of other rows, in canonical form: the fields of RdfTriple and
  * RdfQuad in the order of the schema.
  *
  * @param row
  *   receives the terms, and whether the row passes the filter
  * @param walker
  *   checks what is not decoded
  * @param features
  *   checks terms against the stream's options; null if no check is needed
  * @param isRestart
  *   whether reading begins at a restart point, where a row has nothing to repeat
  */
private[jellyspark] final class StatementDecoder private[jelly] (
    options: ReadOptions,
    request: BatchRequest,
    lookups: Lookups,
    row: DecodedRow,
    walker: MessageWalker,
    features: FeatureCheck,
    isRestart: Boolean
) {
  private[this] val decision = new RowFilterDecision(request.filter)
  private[this] val subject = newReader(Position.Subject, Column.Subject)
  private[this] val predicate = newReader(Position.Predicate, Column.Predicate)
  private[this] val obj = newReader(Position.Object, Column.Object)

  /** Reads and holds graphs. */
  val graph: TermReader = newReader(Position.Graph, Column.Graph)

  /** The readers of all positions, by [[Position]]. */
  private[jelly] val readers: Array[TermReader] = Array(subject, predicate, obj, graph)

  /** Whether rows are filtered. */
  private[jelly] def isFiltered: Boolean = decision.isFiltered

  /** Reads the terms of a statement.
    *
    * @param mayHaveGraph
    *   whether the message is an RdfQuad
    * @param readsGraph
    *   whether to decode the graph; if false, it is only checked
    * @return
    *   whether the statement has a graph
    * @throws MalformedRowException
    *   if the statement is malformed
    * @throws NonCanonical
    *   if it is not in canonical form
    */
  def read(
      bytes: Array[Byte],
      start: Int,
      end: Int,
      mayHaveGraph: Boolean,
      readsGraph: Boolean
  ): Boolean = {
    var at = readTerm(subject, Tag.Subject, bytes, start, end)
    at = readTerm(predicate, Tag.Predicate, bytes, at, end)
    at = readTerm(obj, Tag.Object, bytes, at, end)
    val hasGraph = at < end
    if (hasGraph) {
      if (!mayHaveGraph) throw NonCanonical
      readGraph(bytes, at, start, end, readsGraph)
    }
    hasGraph
  }

  /** Completes a row without a graph, which repeats the last graph. If there is none, the graph is
    * the default graph.
    *
    * @param requires
    *   whether a row without a graph is an error if there is no graph to repeat
    * @throws MalformedRowException
    *   if there is no graph to repeat, and `requires` is set or reading began at a restart point
    */
  def repeatGraph(requires: Boolean): Unit = if (!graph.isSet) {
    if (requires || isRestart) Malformed.nothingToRepeat("a graph")
    // If reading is strict, a later statement must not repeat this default graph.
    if (!options.strict) graph.setDefault()
  }

  /** Completes a statement: decides whether it passes the filter and, if so, creates its terms. */
  def finish(op: RowOp): RowOp = {
    if (decision.isFiltered) {
      row.isWanted = decision.ofStatement(op, subject, predicate, obj, graph)
      if (row.isWanted) {
        subject.term
        predicate.term
        obj.term
        graph.term
      }
    }
    op
  }

  /** Like [[finish]], but for a row that has a graph and no other term of a statement. */
  def finishWithGraph(op: RowOp): RowOp = {
    row.hasGraph = true
    if (decision.isFiltered) {
      row.isWanted = decision.withGraph(op, graph)
      if (row.isWanted) graph.term
    }
    op
  }

  /** Like [[finish]], but for a row that has no term of a statement. */
  def finishWithoutTerms(op: RowOp): RowOp = {
    row.hasGraph = false
    row.isWanted = decision.withoutTerms(op)
    op
  }

  /** Begins another stream, which has nothing to repeat yet. */
  private[jelly] def restart(): Unit = readers.foreach(_.restart())

  /** Copies the bytes of earlier rows that held terms still refer to, before those bytes are
    * overwritten.
    */
  private[jelly] def keepTerms(): Unit = readers.foreach(_.keep())

  private def newReader(position: Int, column: Column): TermReader = new TermReader(
    position,
    lookups,
    row.held,
    request.columns.contains(column),
    decision.isFiltered,
    AllowedTerms(request.filter.of(column)),
    features
  )

  /** Reads the term of a position, or repeats the last one if the field at `at` is not one of the
    * position's four fields.
    *
    * @param firstTag
    *   the tag of the position's first field
    * @return
    *   the index of the next field
    */
  private def readTerm(
      reader: TermReader,
      firstTag: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int
  ): Int = {
    if (at < end) {
      val place = bytes(at) - firstTag
      if ((place & ~Tag.KindBits) == 0) {
        val read = PackedVarint.read(bytes, at + 1, end)
        val from = PackedVarint.next(read)
        val to = from + PackedVarint.number(read)
        if (to < from || to > end) throw NonCanonical
        reader.read(place >> Tag.KindShift, bytes, from, to)
        return to
      }
    }
    reader.repeat()
    at
  }

  /** Reads the graph of a statement.
    *
    * @param at
    *   the index of the graph's field, which is the last field of the statement
    * @param start
    *   the index at which the statement begins
    */
  private def readGraph(
      bytes: Array[Byte],
      at: Int,
      start: Int,
      end: Int,
      readsGraph: Boolean
  ): Unit = {
    // The tag of a literal has two bytes.
    val tag = PackedVarint.read(bytes, at, end)
    val place = PackedVarint.number(tag) - Tag.Graph
    if ((place & ~Tag.KindBits) != 0) throw NonCanonical
    val length = PackedVarint.read(bytes, PackedVarint.next(tag), end)
    val from = PackedVarint.next(length)
    if (PackedVarint.number(length) != end - from) throw NonCanonical
    if (readsGraph) graph.read(TermKind.ofGraph(place >> Tag.KindShift), bytes, from, end)
    else walker.check(MessageType.Quad, bytes, start, end)
  }
}

/** Decides whether a row passes the filter of a request. [[TermReader.passes]] decides about its
  * terms.
  */
private final class RowFilterDecision(filter: RowFilter) {

  /** Whether there is a filter. If not, every row passes and nothing else needs to be called. */
  val isFiltered: Boolean = !filter.columns.isEmpty

  // Indexed by the ordinal of the op.
  private[this] val opPasses = RowOp.values.map(filter.allows).toArray
  private[this] val nullTriplePasses =
    List(Column.Subject, Column.Predicate, Column.Object).forall(passesNull)
  private[this] val nullGraphPasses = passesNull(Column.Graph)

  /** Whether a statement with the current terms of these readers passes. */
  def ofStatement(
      op: RowOp,
      subject: TermReader,
      predicate: TermReader,
      obj: TermReader,
      graph: TermReader
  ): Boolean =
    opPasses(op.ordinal) && subject.passes && predicate.passes && obj.passes && graph.passes

  /** Whether a row passes that has a graph but no other term of a statement. */
  def withGraph(op: RowOp, graph: TermReader): Boolean =
    opPasses(op.ordinal) && nullTriplePasses && graph.passes

  /** Whether a row passes that has no term of a statement. */
  def withoutTerms(op: RowOp): Boolean =
    opPasses(op.ordinal) && nullTriplePasses && nullGraphPasses

  private def passesNull(column: Column): Boolean = {
    val allowed = filter.of(column)
    allowed == null || allowed.nulls
  }
}
