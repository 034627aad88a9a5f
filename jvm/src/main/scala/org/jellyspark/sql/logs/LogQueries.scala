package org.jellyspark.sql.logs

import java.sql.Timestamp

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.Row
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.functions.{broadcast, col, expr, lit, raise_error}
import org.apache.spark.sql.types._

import org.jellyspark.log.LogView
import org.jellyspark.log.entries.LogEntry
import org.jellyspark.source.files.Compression

/** What can be asked of a log, as DataFrames, with the results of `Log` in Python. */
private[logs] final class LogQueries(session: SparkSession, val view: LogView) {
  import LogQueries._

  /** The rows of all patches. Where a patch is stored does not show: its `patch` is its position.
    */
  def rows: DataFrame =
    LogRows(session, view, view.begin, view.next).withColumn("patch", col("log_seq"))

  /** The statements after the patch at a position.
    *
    * @param among
    *   the statements that are looked for, so that only these are returned, and a few more: the
    *   others are read, but neither joined with changes nor shuffled. None for all
    */
  def state(position: Long, among: Option[DataFrame] = None): DataFrame =
    stateAt(position, among).getOrElse {
      Frames.empty(session, StateSchema)
    }

  /** The versions: a row for each patch. */
  def versions: DataFrame = {
    val packed = for {
      file <- view.files(view.begin, view.next)
      if file.isPack
      (patch, position) <- file.patches
    } yield position -> ((file.name, patch))
    val places = packed.toMap
    val rows = view.entries(view.begin, view.next).map { entry =>
      val (file, patch) = places.getOrElse(entry.position, (entry.file, entry.patch))
      val time = Timestamp.from(entry.time)
      val message = entry.message.orNull
      Row(entry.position, entry.id, entry.prev.orNull, time, file, patch, message)
    }
    Frames.of(session, VersionsSchema, rows.toSeq)
  }

  /** The intervals during which statements were present.
    *
    * @param subject
    *   the subject of the statements; none for all
    */
  def history(subject: Option[String]): DataFrame = {
    def selected(frame: DataFrame): DataFrame =
      subject.fold(frame)(term => frame.where(col("subject") === lit(term)))
    val entries = view.entries(view.begin, view.next).toSeq
    val ids = Frames.of(session, IdSchema, entries.map(entry => Row(entry.position, entry.id)))
    val found = StatementChanges.intervals(
      stateAt(view.begin - 1).map(selected),
      selected(changesOf(entries))
    )
    val added = ids.toDF("added_log_seq", "added_by")
    val removed = ids.toDF("removed_log_seq", "removed_by")
    found
      .join(broadcast(added), Seq("added_log_seq"), "left")
      .join(broadcast(removed), Seq("removed_log_seq"), "left")
      .select(HistorySchema.fieldNames.toIndexedSeq.map(col): _*)
  }

  /** The statements that each patch added and removed, from one position until before another, with
    * the columns of Spark's change data capture.
    *
    * @param areNet
    *   whether only the differences between the first and the last state are returned
    */
  def changes(from: Long, until: Long, areNet: Boolean = false): DataFrame = {
    val entries = view.entries(from, until).toSeq
    val rows = changesOf(entries)
    val all =
      if (entries.forall(isCanonical)) rows
      else StatementChanges.effects(stateAt(from - 1), rows)
    val found = if (areNet) StatementChanges.net(all) else all
    val times = entries.map(entry => Row(entry.position, Timestamp.from(entry.time)))
    found
      .join(broadcast(Frames.of(session, TimeSchema, times)), Seq("log_seq"), "left")
      .select(
        StatementChanges.Statement.map(col) ++ Seq(
          expr("CASE op WHEN 'A' THEN 'insert' ELSE 'delete' END AS _change_type"),
          col("log_seq").as("_commit_version"),
          col("_commit_timestamp")
        ): _*
      )
  }

  /** Changes that begin with a patch that has expired: reading them is an error. */
  def expiredChanges(position: Long): DataFrame = {
    val message =
      lit(s"position $position has expired: the log begins at position ${view.begin}")
    val columns = ChangesSchema.map(field => lit(null).cast(field.dataType).as(field.name))
    session.range(1).toDF().where(raise_error(message).isNull).select(columns: _*)
  }

  /** The statements after the patch at a position; none if there is nothing before the first patch.
    *
    * @param among
    *   as in [[state]]
    */
  private def stateAt(position: Long, among: Option[DataFrame] = None): Option[DataFrame] = {
    def selected(rows: DataFrame): DataFrame = among.fold(rows)(StatementChanges.touched(rows, _))
    val found = view.snapshot(position)
    val entries = view.entries(found.fold(view.begin)(_.position + 1), position + 1).toSeq
    // If the first patch of all is canonical, its rows are the state after it.
    val first =
      if (found.isEmpty && view.begin == 0) entries.headOption.filter(_.canonical) else None
    val base = found
      .map(LogRows.statements(session, _))
      .orElse(
        first.map(patch => changesOf(Seq(patch)).select(StatementChanges.Statement.map(col): _*))
      )
    val others = entries.drop(first.size)
    val before = base.map(selected)
    before match {
      case _ if others.isEmpty                                              => before
      case Some(state) if among.isEmpty && sizeOf(others) <= BroadcastBytes =>
        Some(StatementChanges.afterFew(state, changesOf(others)))
      case _ => Some(StatementChanges.after(before, selected(changesOf(others))))
    }
  }

  /** The changes of consecutive patches. Only if one has a transaction that is not committed are
    * the transactions looked at.
    */
  private def changesOf(entries: Seq[LogEntry]): DataFrame = {
    val (from, until) =
      if (entries.isEmpty) (view.next, view.next)
      else (entries.head.position, entries.last.position + 1)
    val rows = LogRows(session, view, from, until)
    if (entries.forall(_.committed)) StatementChanges.all(rows)
    else StatementChanges.committed(rows)
  }

  private def isCanonical(entry: LogEntry): Boolean = entry.canonical || !entry.statements
}

private[logs] object LogQueries {

  /** Patches whose files have at most this many bytes, uncompressed, are broadcast to be applied.
    */
  private val BroadcastBytes: Long = 16L << 20

  /** The assumed compression ratio of a compressed file. */
  private val CompressionRatio = 4L

  val StateSchema: StructType = StructType(
    StatementChanges.Statement.map(name => StructField(name, StringType))
  )

  val VersionsSchema: StructType = new StructType()
    .add("log_seq", LongType, nullable = false)
    .add("id", StringType, nullable = false)
    .add("prev", StringType)
    .add("time", TimestampType)
    .add("file", StringType, nullable = false)
    .add("patch", LongType, nullable = false)
    .add("message", StringType)

  val HistorySchema: StructType = StateSchema
    .add("added_by", StringType)
    .add("removed_by", StringType)
    .add("added_log_seq", LongType)
    .add("removed_log_seq", LongType)

  val ChangesSchema: StructType = StateSchema
    .add("_change_type", StringType, nullable = false)
    .add("_commit_version", LongType, nullable = false)
    .add("_commit_timestamp", TimestampType)

  private val IdSchema = new StructType().add("log_seq", LongType).add("id", StringType)

  private val TimeSchema =
    new StructType().add("log_seq", LongType).add("_commit_timestamp", TimestampType)

  /** The approximate uncompressed size of the files of patches. */
  private def sizeOf(entries: Seq[LogEntry]): Long =
    entries
      .map(entry => entry.file -> entry.size)
      .distinct
      .map { case (file, size) =>
        if (Compression.of(new Path(file)) == Compression.Uncompressed) size
        else size * CompressionRatio
      }
      .sum
}
