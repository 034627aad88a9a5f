package org.jellyspark.source

import java.io.{FilterInputStream, InputStream}

import org.apache.spark.{InterruptibleIterator, TaskContext}

/** The bytes that a task reads. Reading them ends the task if Spark has killed it.
  *
  * Spark itself looks whether a task was killed when it asks for the next row or batch. A reader
  * may read for long until it has one: a filter may reject all rows, or a split may begin far into
  * a text. But no reader goes on for long without more bytes.
  */
private[source] final class KillableInputStream(in: InputStream) extends FilterInputStream(in) {
  // Its `hasNext` throws if the task was killed: the one public method that does.
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
