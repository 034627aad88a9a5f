package org.jellyspark.source

import java.io.Closeable

import org.jellyspark.MalformedInputException

/** Rows or batches for Spark. Reports malformed input by `next`, as a [[MalformedFileException]].
  *
  * Spark replaces what `hasNext` throws by an error that names the file and nothing else. What
  * `next` throws reaches the user.
  */
private[source] final class UserErrorIterator[A](rows: Iterator[A])
    extends Iterator[A]
    with Closeable {
  private[this] var error: MalformedFileException = _

  override def hasNext: Boolean =
    try error != null || rows.hasNext
    catch {
      case e: MalformedInputException =>
        error = new MalformedFileException(e)
        true
    }

  override def next(): A = {
    if (error != null) throw error
    try rows.next()
    catch { case e: MalformedInputException => throw new MalformedFileException(e) }
  }

  override def close(): Unit = rows match {
    case closeable: Closeable => closeable.close()
    case _                    =>
  }
}
