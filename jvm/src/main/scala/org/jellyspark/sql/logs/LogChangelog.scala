package org.jellyspark.sql.logs

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.connector.catalog.{Changelog, ChangelogContext, ChangelogRange, Column}
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import org.jellyspark.{LogException, OptionException}
import org.jellyspark.log.{LogFolder, LogView}

/** The changes of a log, for Spark's change data capture. They are not scanned:
  * [[ResolveLogChanges]] replaces them by a query of the log's files.
  *
  * Versions of Spark before 4.2 lack the superclass, so nothing that runs there may use this class.
  *
  * @param folder
  *   the folder of the log
  * @param from
  *   the position of the first patch; a failure if it has expired, which does not matter to a
  *   stream that has begun before
  * @param until
  *   the position after the last patch; none to follow the log as it grows, if the changes are read
  *   as a stream
  * @param areNet
  *   whether to return net changes. Spark's own computation would return a deletion and an
  *   insertion of a statement that is there before and after.
  */
private[logs] final class LogChangelog(
    override val name: String,
    folder: LogFolder,
    view: LogView,
    from: Try[Long],
    until: Option[Long],
    areNet: Boolean
) extends Changelog {

  /** The query that gives the changes. */
  def rows(session: SparkSession): DataFrame =
    new LogQueries(session, view).changes(from.get, until.getOrElse(view.next), areNet)

  /** The stream of the changes. */
  def stream(session: SparkSession): DataFrame = {
    if (areNet) {
      throw new OptionException(
        s"a stream of the changes of $name cannot have net changes, because the log may grow: " +
          "leave deduplicationMode out"
      )
    }
    val reader = session.readStream
      .format(classOf[LogChangesProvider].getName)
      .option(LogChangesProvider.Folder, folder.path)
    from match {
      case Success(position) => reader.option(LogChangesProvider.From, position)
      case Failure(error)    => reader.option(LogChangesProvider.Expired, error.getMessage)
    }
    until.foreach(reader.option(LogChangesProvider.Until, _))
    reader.load()
  }

  override def columns(): Array[Column] = LogQueries.ChangesSchema.fields.map { field =>
    Column.create(field.name, field.dataType, field.nullable)
  }

  override def containsCarryoverRows(): Boolean = false

  override def containsIntermediateChanges(): Boolean = false

  override def representsUpdateAsDeleteAndInsert(): Boolean = false

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
    new UnplannedScan(name, LogQueries.ChangesSchema)
}

/** Opens changelogs. */
private[jellyspark] object LogChangelogs {

  /** Returns the changes of a log in the range that a query names.
    *
    * @throws org.jellyspark.LogException
    *   if the log has no such versions, or the last one comes before the first
    */
  def open(name: String, folder: LogFolder, context: ChangelogContext): Changelog = {
    val view = folder.open()
    val (from, until) = positionsOf(view, context.range)
    val end = until.getOrElse(view.next)
    from.filter(_ > end).foreach { begin =>
      throw new LogException(
        s"the changes to read from $name end before they begin: they begin at position $begin, " +
          s"and end before position $end"
      )
    }
    val areNet = context.deduplicationMode == ChangelogContext.DeduplicationMode.NET_CHANGES
    new LogChangelog(name, folder, view, from, until, areNet)
  }

  /** Returns the position of the first patch in a range, and the one after the last, if it has an
    * end.
    */
  private def positionsOf(view: LogView, range: ChangelogRange): (Try[Long], Option[Long]) = {
    def after(isBefore: Boolean): Long = if (isBefore) 1 else 0
    range match {
      case versions: ChangelogRange.VersionRange =>
        val from = attempt(Versions.positionOf(view, versions.startingVersion))
        val last = Option(versions.endingVersion.orElse(null)).map(Versions.positionOf(view, _))
        (
          from.map(_ + after(!versions.startingBoundInclusive)),
          last.map(_ + after(versions.endingBoundInclusive))
        )
      case times: ChangelogRange.TimestampRange =>
        // The first patch in the range follows the last one before it.
        def next(time: Long, isBefore: Boolean): Long =
          Versions.positionAt(view, if (isBefore) time else time - 1) + 1
        val end = Option(times.endingTimestamp.orElse(null))
        (
          attempt(next(times.startingTimestamp, !times.startingBoundInclusive)),
          end.map(time => next(time, times.endingBoundInclusive))
        )
      case _ => (Success(view.begin), None)
    }
  }

  private def attempt(position: => Long): Try[Long] =
    try Success(position)
    catch { case e: LogException => Failure(e) }
}
