package org.jellyspark.sql.logs

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.{Offset, Source}
import org.apache.spark.sql.types.StructType

import org.jellyspark.LogException
import org.jellyspark.log.LogFolder

/** The stream of the changes of a log that may grow.
  *
  * @param from
  *   the position of the first patch
  * @param until
  *   the position after the last patch; none if the stream has no end
  */
private[logs] final class LogChangesSource(
    session: SparkSession,
    folder: LogFolder,
    from: Long,
    until: Option[Long]
) extends Source {
  private[this] var view = folder.open()

  override def schema: StructType = LogQueries.ChangesSchema

  override def getOffset: Option[Offset] = {
    view = view.refreshed()
    Option(until.fold(view.next)(_.min(view.next)))
      .filter(_ > from)
      .map(end => LogOffset(end, view.entries(end - 1, end).next().id))
  }

  override def getBatch(start: Option[Offset], end: Offset): DataFrame = {
    val begin = start.map(LogOffset.of)
    val last = LogOffset.of(end)
    if (last.position > view.next) view = view.refreshed()
    (begin ++ Seq(last)).foreach(check)
    val queries = new LogQueries(session, view)
    val first = begin.fold(from)(_.position)
    // When a stream is started again, Spark asks for its last batch, and does not read it.
    val rows =
      if (first < view.begin) queries.expiredChanges(first)
      else queries.changes(first, last.position)
    StreamedRows.of(session, rows)
  }

  override def stop(): Unit = ()

  /** Checks that the log is still the one that was read up to an offset. */
  private def check(offset: LogOffset): Unit = {
    val position = offset.position - 1
    val found =
      if (position >= view.next) None
      else if (position >= view.begin) Some(view.entries(position, position + 1).next().id)
      else if (position == view.begin - 1) view.before
      else Some(offset.id)
    if (!found.contains(offset.id)) {
      throw new LogException(
        s"${folder.path} has ${found.getOrElse("no patch")} at position $position, and had " +
          s"${offset.id} when this stream read it: the log is another one, or was restored from an " +
          "older copy. Start the stream again, with a new checkpoint and a new sink"
      )
    }
  }
}
