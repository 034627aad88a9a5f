package org.jellyspark.source

import java.io.Closeable

import org.apache.spark.TaskContext
import org.apache.spark.sql.vectorized.ColumnarBatch

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{BatchReader, ReadCounts}
import org.jellyspark.core.rows.ColumnBatch
import org.jellyspark.source.files.FileHead

/** The rows of one split, in batches.
  *
  * The reader is closed after the last batch, because a task may read many files. Otherwise it is
  * closed with the iterator or when the task completes.
  *
  * @param open
  *   opens a reader for the split
  * @param head
  *   the beginning of the file
  * @param toSpark
  *   wraps a batch for Spark
  * @param atEnd
  *   called after the last batch
  */
private[source] final class BatchIterator(
    open: () => BatchReader,
    head: FileHead,
    toSpark: ColumnBatch => ColumnarBatch,
    metrics: ReadMetrics,
    malformed: MalformedRowHandler,
    atEnd: () => Unit
) extends Iterator[ColumnarBatch]
    with Closeable {
  private[this] var reader: BatchReader = _
  private[this] var exhausted = false
  private[this] var batch: ColumnBatch = _
  // The part of the reader's counts that has been added to the metrics.
  private[this] var counted = ReadCounts.Zero
  Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => close()))

  override def hasNext: Boolean = {
    if (batch == null && !exhausted) {
      batch = fetch()
      if (batch == null) {
        close()
        atEnd()
      }
    }
    batch != null
  }

  override def next(): ColumnarBatch = {
    if (!hasNext) throw new NoSuchElementException("no more rows")
    val rows = toSpark(batch)
    batch = null
    rows
  }

  override def close(): Unit = {
    exhausted = true
    batch = null
    val opened = reader
    reader = null
    if (opened != null) {
      count(opened)
      opened.close()
    }
  }

  /** Returns the next batch, or null if there are no more rows. */
  private def fetch(): ColumnBatch = {
    while (true) {
      try {
        if (reader == null) reader = open()
        val found = reader.next()
        count(reader)
        if (found != null) metrics.addBatch()
        return found
      } catch {
        case _: MalformedInputException if malformed.areKept && reader != null =>
          val kept = reader.malformedRow
          reader.skip()
          return kept
        case e: MalformedInputException =>
          malformed.drop(e, head)
          if (reader == null || !reader.skip()) return null
      }
    }
    null
  }

  private def count(reader: BatchReader): Unit = {
    val counts = reader.counts
    metrics.add(counts - counted)
    counted = counts
  }
}
