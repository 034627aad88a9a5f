package org.jellyspark.jelly

import java.io.InputStream

import org.jellyspark.core._

/** Opens Jelly files; a format's own says how their rows are decoded. */
private[jellyspark] abstract class JellyBatchReaderFactory(
    request: BatchRequest
) extends BatchReaderFactory {

  /** A new decoder.
    *
    * @param isRestart
    *   whether it begins at a restart point
    */
  def newDecoder(isRestart: Boolean): JellyDecoder

  /** Whether the rules on transactions are errors. */
  def strictTransactions: Boolean

  final override def open(file: InputFile, part: FilePart): BatchReader =
    new JellyBatchReader(file, JellyBatchReader.ranges(file, part), this, request.columns)
}

/** Reads the rows of some ranges of a Jelly file as columns.
  *
  * @param ranges
  *   each from where to where; null for the file's end
  */
private[jelly] final class JellyBatchReader(
    file: InputFile,
    ranges: Iterator[(RestartPoint, RestartPoint)],
    factory: JellyBatchReaderFactory,
    columns: Set[Column]
) extends BatchReader {
  import JellyBatchReader._

  private[this] val hasOp = columns.contains(Column.Op)
  private[this] val hasGraph = columns.contains(Column.Graph)
  private[this] val hasName = columns.contains(Column.Name)
  private[this] val hasValue = columns.contains(Column.Value)
  // Nearly all rows have these.
  private[this] val statementColumns =
    Array[Column](Column.Subject, Column.Predicate, Column.Object).filter(columns).map(_.index)
  private[this] val numbers = columns.collect { case column: Column.NumberColumn => column }.toArray

  private[this] var in: InputStream = _
  // Null between ranges.
  private[this] var rows: RangeReader = _
  private[this] var rangeEnd: RestartPoint = _
  // Of the current batch; null where they were not asked for.
  private[this] var subjects: Array[AnyRef] = _
  private[this] var predicates: Array[AnyRef] = _
  private[this] var objects: Array[AnyRef] = _
  private[this] var patches: Array[Long] = _
  private[this] var transactions: Array[Long] = _
  private[this] var frames: Array[Long] = _
  private[this] var seqs: Array[Long] = _

  // What is to be raised once the rows before it are delivered.
  private[this] var error: org.jellyspark.MalformedInputException = _

  override def next(): ColumnBatch = {
    if (error != null) throw error
    var batch: ColumnBatch = null
    while (batch == null && (rows != null || openRange())) {
      batch = fill()
      if (batch.size == 0) {
        if (error != null) throw error
        batch = null
      }
    }
    batch
  }

  override def skip(): Boolean = {
    error = null
    val goesOn = rangeEnd != null
    if (goesOn) rows.skipToEnd()
    close()
    goesOn
  }

  override def close(): Unit = {
    rows = null
    if (in != null) in.close()
    in = null
  }

  private def openRange(): Boolean = ranges.hasNext && {
    val (start, end) = ranges.next()
    rangeEnd = end
    in = file.open(start.offset)
    val decoder = factory.newDecoder(isRestart = start.offset > 0)
    rows = new RangeReader(in, file.name, decoder, factory.strictTransactions, start, end)
    true
  }

  /** Rows of the current range, up to its end or an error. */
  private def fill(): ColumnBatch = {
    val batch = newBatch()
    rows.decoder.startBatch()
    var size = 0
    var bytes = 0
    try {
      while (size < MaxRows && bytes < MaxBytes) {
        val op = rows.next()
        if (op == null) {
          close()
          bytes = MaxBytes
        } else {
          if (!columns.isEmpty) put(op, batch, size)
          size += 1
          bytes += rows.rowLength
        }
      }
    } catch { case e: org.jellyspark.MalformedInputException => error = e }
    batch.size = size
    batch
  }

  private def newBatch(): ColumnBatch = {
    val batch = new ColumnBatch
    if (hasOp) batch.ops = new Array[Byte](MaxRows)
    numbers.foreach(column => batch.numbers(column.index) = new Array[Long](MaxRows))
    statementColumns.foreach(batch.values(_) = new Array[AnyRef](MaxRows))
    subjects = batch.values(Column.Subject.index)
    predicates = batch.values(Column.Predicate.index)
    objects = batch.values(Column.Object.index)
    patches = batch.numbers(Column.Patch.index)
    transactions = batch.numbers(Column.Tx.index)
    frames = batch.numbers(Column.Frame.index)
    seqs = batch.numbers(Column.Seq.index)
    batch
  }

  private def put(op: RowOp, batch: ColumnBatch, i: Int): Unit = {
    val decoder = rows.decoder
    if (hasOp) batch.ops(i) = op.ordinal.toByte
    if (JellyDecoder.isStatement(op)) {
      val terms = decoder.terms
      if (subjects != null) subjects(i) = terms(TermReader.Subject)
      if (predicates != null) predicates(i) = terms(TermReader.Predicate)
      if (objects != null) objects(i) = terms(TermReader.Object)
      if (hasGraph) put(terms(TermReader.Graph), Column.Graph, batch, i)
    } else if (!op.columns.isEmpty) {
      if (hasName) put(decoder.name, Column.Name, batch, i)
      if (hasValue) put(decoder.value, Column.Value, batch, i)
      if (hasGraph && decoder.hasGraph) put(decoder.terms(TermReader.Graph), Column.Graph, batch, i)
    }
    val numbering = rows.numbering
    if (seqs != null) seqs(i) = numbering.seq
    if (frames != null) frames(i) = rows.frame
    if (patches != null) patches(i) = numbering.patch
    if (transactions != null) transactions(i) = numbering.transaction
  }

  private def put(value: AnyRef, column: Column, batch: ColumnBatch, i: Int): Unit =
    if (value != null) {
      var values = batch.values(column.index)
      if (values == null) {
        values = new Array[AnyRef](MaxRows)
        batch.values(column.index) = values
      }
      values(i) = value
    }
}

private[jelly] object JellyBatchReader {
  private final val MaxRows = 4096
  // On the wire: what a batch holds of long terms.
  private final val MaxBytes = 1 << 20

  /** The ranges between restart points that begin in a part of a file. */
  def ranges(file: InputFile, part: FilePart): Iterator[(RestartPoint, RestartPoint)] = {
    val isWhole = file.length == InputFile.UnknownLength
    val points = RestartPoint.Start +: (if (isWhole) Nil else RestartIndex.read(file))
    points.iterator
      .zipAll(points.iterator.drop(1), null, null)
      .filter { case (start, _) => start.offset >= part.start && start.offset < part.end }
  }
}
