package org.jellyspark.source.files

import java.io.{FilterInputStream, InputStream}

import org.apache.spark.{InterruptibleIterator, TaskContext}

/** A stream whose reads end the task if Spark has killed it.
  *
  * Spark itself checks for a killed task only when it asks for the next row or batch. A reader may
  * need long to produce one: a filter may reject all rows, or a split may begin in the middle of a
  * long text. But every reader soon needs more bytes.
  */
private[source] final class KillableInputStream(in: InputStream) extends FilterInputStream(in) {
  // The only public method that throws if the task was killed is `hasNext` of this iterator.
  private[this] val check =
    Option(TaskContext.get()).map(new InterruptibleIterator(_, Iterator.empty))

  override def read(): Int = {
    endIfKilled()
    in.read()
  }

  override def read(bytes: Array[Byte], start: Int, length: Int): Int = {
    endIfKilled()
    in.read(bytes, start, length)
  }

  private def endIfKilled(): Unit = check.foreach(_.hasNext)
}
