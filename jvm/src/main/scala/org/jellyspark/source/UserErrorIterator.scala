package org.jellyspark.source

import java.io.Closeable

import org.jellyspark.MalformedInputException

/** An iterator of rows or batches for Spark that reports malformed input as a
  * [[MalformedFileException]] from `next`.
  *
  * Spark replaces exceptions from `hasNext` with an error that only names the file. Exceptions from
  * `next` reach the user.
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
