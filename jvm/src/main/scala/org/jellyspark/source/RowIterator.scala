package org.jellyspark.source

import java.io.{Closeable, InputStream}

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types.StructType

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.RowReader

/** The rows of one split, with the columns that a query reads.
  *
  * The file is closed after the last row, because a task may read many files. Otherwise it is
  * closed with the iterator or when the task completes.
  *
  * @param open
  *   opens a reader of `in`
  * @param in
  *   the bytes of the file
  * @param head
  *   the beginning of the file
  * @param columns
  *   the columns that the query reads
  */
private[source] final class RowIterator(
    open: () => RowReader,
    in: InputStream,
    head: FileHead,
    columns: StructType,
    metrics: ReadMetrics,
    malformed: MalformedRowHandler
) extends Iterator[InternalRow]
    with Closeable {
  // Null once the iterator is closed, because the task's listener would keep the reader in memory.
  private[this] var reader: RowReader = _
  private[this] val values = new Array[Any](columns.length)
  private[this] val row = new GenericInternalRow(values)
  private[this] val fields = new RowFields(columns, malformed.corruptColumn)
  private[this] var fetched = false
  private[this] var exhausted = false
  // The text of the current row if it is malformed, otherwise null.
  private[this] var malformedText: String = _
  Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => close()))
  reader = open()

  override def hasNext: Boolean = {
    if (!fetched && !exhausted) {
      fetched = fetch()
      exhausted = !fetched
    }
    fetched
  }

  /** Returns the next row. It is the same object each time, as in Spark's own sources. */
  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("no more rows")
    fetched = false
    fields.copy(reader.row, malformedText, values)
    row
  }

  override def close(): Unit = {
    exhausted = true
    val opened = reader
    reader = null
    if (opened != null) metrics.addPassed(opened.passedBytes)
    in.close()
  }

  /** Moves to the next row that the mode keeps.
    *
    * @return
    *   whether there is one
    */
  private def fetch(): Boolean = {
    var found = false
    try {
      var goesOn = true
      while (goesOn) {
        malformedText = null
        try {
          found = reader.next()
          goesOn = false
        } catch {
          case _: MalformedInputException if malformed.areKept =>
            malformedText = reader.malformedRow
            found = true
            goesOn = false
          case e: MalformedInputException => goesOn = malformed.drop(e, head)
        }
      }
    } finally if (!found) close()
    found
  }
}
