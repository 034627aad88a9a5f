package org.jellyspark.sql.logs

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.{Offset, Source}
import org.apache.spark.sql.types.StructType

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
    Option(until.fold(view.next)(_.min(view.next))).filter(_ > from).map(new LogOffset(_))
  }

  override def getBatch(start: Option[Offset], end: Offset): DataFrame = {
    if (positionOf(end) > view.next) view = view.refreshed()
    val rows = new LogQueries(session, view)
      .changes(start.fold(from)(positionOf), positionOf(end))
    StreamedRows.of(session, rows)
  }

  override def stop(): Unit = ()

  private def positionOf(offset: Offset): Long = offset.json.toLong
}

/** A position in a log up to which a stream has been read: that of the patch after the last one. */
private[logs] final class LogOffset(position: Long) extends Offset {
  override val json: String = position.toString
}
