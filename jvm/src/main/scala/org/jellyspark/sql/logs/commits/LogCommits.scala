package org.jellyspark.sql.logs.commits

import scala.annotation.tailrec

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.functions.{col, expr, lit}

import org.jellyspark.LogException
import org.jellyspark.log.{LogFolder, LogView, LogWriter}
import org.jellyspark.log.entries.{LogEntry, NewPatch}
import org.jellyspark.source.SourceOptions
import org.jellyspark.sql.logs.{LogQueries, StatementChanges}

/** Commits a change of the statements of a log, once: if it changes something, it is one canonical
  * patch.
  *
  * Spark writes the patch to a file in a staging folder of the log, which then becomes the patch at
  * the next position, unless another program was first.
  *
  * @param name
  *   the name of the table, for messages
  * @param folder
  *   the folder of the log
  * @param headers
  *   the names and terms of the headers of the patch, besides `id` and `prev`
  * @param id
  *   the id of the patch
  */
private[commits] final class LogCommits(
    session: SparkSession,
    name: String,
    folder: LogFolder,
    headers: Seq[(String, String)],
    id: String
) {
  import LogCommits._

  private[this] val writer = new LogWriter(folder.path, session.sessionState.newHadoopConf())

  /** Adds the statements that the log does not have. If another program appends first, this is done
    * again, for the version after that.
    *
    * @param base
    *   the log when the statement read it; none if the rows do not depend on it
    * @throws org.jellyspark.LogException
    *   if the rows depend on the log, and another program has changed its statements since
    */
  def insert(base: Option[LogView], rows: DataFrame): Unit =
    keeping(flagged(rows, Added)) { added =>
      val mayFollow = base.fold[Iterator[LogEntry] => Boolean](_ => true)(_ => isUnchanged)
      commit(Some(base.getOrElse(folder.open())), withoutExisting(_, added), mayFollow)
    }

  /** Makes a new log of statements.
    *
    * @throws org.jellyspark.LogException
    *   if another program has made it meanwhile
    */
  def create(rows: DataFrame): Unit =
    commit(None, _ => changesOf(net(flagged(rows, Added))), isUnchanged)

  /** Replaces all statements.
    *
    * @param base
    *   the log when the statement read it
    * @throws org.jellyspark.LogException
    *   if another program has changed the statements of the log since
    */
  def overwrite(base: LogView, rows: DataFrame): Unit = {
    val sides = flagged(stateOf(base), Deleted).unionByName(flagged(rows, Added))
    commit(Some(base), _ => changesOf(net(sides)), isUnchanged)
  }

  /** Deletes and adds statements.
    *
    * @param base
    *   the log when the statement read it
    * @param rows
    *   the columns of a statement, and the flag [[Deleted]] or [[Added]]. Statements that are
    *   deleted are in the log; a statement that is both deleted and added stays.
    * @throws org.jellyspark.LogException
    *   if another program has changed the statements of the log since
    */
  def change(base: LogView, rows: DataFrame): Unit = keeping(rows) { found =>
    commit(Some(base), withoutExisting(_, found), isUnchanged)
  }

  /** Deletes and adds statements, where they are there or not. If another program appends first,
    * this is done again, for the version after that.
    *
    * @param rows
    *   the columns of a statement, and the flag [[Unwanted]] or [[Added]], each statement once
    */
  def follow(rows: DataFrame): Unit = keeping(rows) { found =>
    commit(Some(folder.open()), withoutExisting(_, found), _ => true)
  }

  /** Commits changes.
    *
    * @param base
    *   the log to commit to; none if it is to be made
    * @param changes
    *   makes the changes for a version: `op` and the columns of a statement
    * @param mayFollow
    *   whether the changes are those wanted even if these patches were appended meanwhile
    */
  @tailrec
  private def commit(
      base: Option[LogView],
      changes: Option[LogView] => DataFrame,
      mayFollow: Iterator[LogEntry] => Boolean
  ): Unit = {
    val view = base.map(_.refreshed())
    def appended =
      for (old <- base.iterator; now <- view.iterator; entry <- now.entries(old.next, now.next))
        yield entry
    // The patch is there if a stream runs twice.
    if (!appended.exists(_.id == id)) {
      if (!mayFollow(appended)) throw conflict()
      if (!append(view, changes(view))) commit(view, changes, mayFollow)
    }
  }

  /** Appends a patch to a version, if there is a change; returns whether no other program was
    * first.
    */
  private def append(view: Option[LogView], changes: DataFrame): Boolean = {
    val prev = view.flatMap(_.head)
    val all = Seq("id" -> id) ++ prev.map("prev" -> _) ++ headers
    val staging = writer.newStaging()
    try {
      PatchRows
        .of(all, PatchRows.checked(changes))
        .write
        .format("jelly_patch")
        .option("maxRecordsPerFile", 0)
        .option(SourceOptions.WriteIntoLogKey, true)
        .save(staging.toString)
      val file = fileIn(staging)
      !writer.isChanging(file) || {
        if (view.isEmpty && !writer.create()) throw conflict()
        val message = headers.toMap.get(CommitHeaders.Message)
        val patch = NewPatch(id, prev, statements = true, prefixes = false, message)
        writer.append(file, view.fold(0L)(_.next), patch).isDefined
      }
    } finally {
      writer.remove(staging)
      if (view.isEmpty) writer.removeEmpty()
    }
  }

  private def fileIn(staging: Path): Path =
    staging
      .getFileSystem(session.sessionState.newHadoopConf())
      .listStatus(staging)
      .map(_.getPath)
      .find(_.getName.endsWith(".jellyp"))
      .get

  /** Removes the additions of what a version has already, and the deletions of what it has not.
    * Only these statements are looked for, so the others are not shuffled.
    */
  private def withoutExisting(view: Option[LogView], found: DataFrame): DataFrame = {
    val open = found.where(col(Flag).isin(Added, Unwanted))
    val existing = view
      .filter(_.head.isDefined)
      .map(log => flagged(stateOf(log, Some(open)), Existing))
    changesOf(net(existing.fold(found)(found.unionByName)))
  }

  private def stateOf(view: LogView, among: Option[DataFrame] = None): DataFrame =
    new LogQueries(session, view).state(view.next - 1, among)

  private def conflict(): Nothing = throw new LogException(
    s"another program has changed $name since this statement read it, so nothing was written: run " +
      "the statement again"
  )
}

private[commits] object LogCommits {
  import StatementChanges.Statement

  /** The column with what is known of a statement: the sum of some of the flags. */
  val Flag: String = "flag"

  /** A statement that is there is deleted. */
  val Deleted: Int = 1
  val Added: Int = 2
  private val Existing = 4

  /** A statement is deleted if it is there. */
  val Unwanted: Int = 8

  /** Returns rows with a column for the graph. Without it, they are in the default graph. */
  def withGraph(rows: DataFrame): DataFrame =
    if (rows.columns.contains("graph")) rows
    else rows.withColumn("graph", expr("CAST(NULL AS STRING)"))

  /** Returns rows with a flag. */
  def flagged(rows: DataFrame, flag: Int): DataFrame =
    rows.select(Statement.map(col) :+ lit(flag).as(Flag): _*)

  /** Returns each statement once, with all its flags. */
  private def net(rows: DataFrame): DataFrame =
    rows.groupBy(Statement.map(col): _*).agg(expr(s"bit_or($Flag)").as(Flag))

  /** Returns the changes among statements with all their flags. */
  private def changesOf(net: DataFrame): DataFrame = net
    .where(col(Flag).isin(Deleted, Deleted | Existing, Unwanted | Existing, Added))
    .select(expr(s"IF($Flag = $Added, 'A', 'D')").as("op") +: Statement.map(col): _*)

  /** Calls a function with rows that are computed once. */
  private def keeping(rows: DataFrame)(use: DataFrame => Unit): Unit = {
    val kept = rows.persist()
    try use(FewRows.of(kept).getOrElse(kept))
    finally kept.unpersist()
  }

  private def isUnchanged(entries: Iterator[LogEntry]): Boolean = !entries.exists(_.statements)
}
