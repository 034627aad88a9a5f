package org.jellyspark.sql.logs.commits

import java.util

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog.SupportsWrite
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.connector.write.streaming.{StreamingDataWriterFactory, StreamingWrite}
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetDataSourceV2

import org.jellyspark.{LogException, OptionException}
import org.jellyspark.log.LogWriter

/** Commits a micro-batch of a stream. Tasks write its rows to Parquet files in a staging folder of
  * the log, because their query can run only once. The driver then commits what is in them.
  *
  * The id of the patch is made of the id of the stream, which its checkpoint keeps, and the number
  * of the batch. So a batch that comes again is recognised.
  *
  * @param options
  *   of the stream
  */
private[commits] final class StreamedCommits(
    log: WrittenLog,
    info: LogicalWriteInfo,
    options: Map[String, String]
) extends StreamingWrite {
  import StreamedCommits._

  private[this] val session = SparkSession.active
  private[this] val writer = new LogWriter(log.folder.path, session.sessionState.newHadoopConf())
  private[this] val staging = writer.newStaging()
  private[this] lazy val rows = parquet(staging, info)

  // Before the first batch runs.
  log.commits(session, headers)

  private def headers = options.filterNot { case (key, _) =>
    (OfSpark :+ OtherStreams).exists(_.equalsIgnoreCase(key))
  }

  // Files have a protocol of their own.
  override def useCommitCoordinator(): Boolean = rows.useCommitCoordinator

  override def createStreamingWriterFactory(
      info: PhysicalWriteInfo
  ): StreamingDataWriterFactory = {
    if (session.sparkContext.getLocalProperty(IsContinuous) == "true") {
      throw new OptionException(
        s"a stream into ${log.name} runs in micro-batches, found a continuous trigger"
      )
    }
    val factory = rows.createBatchWriterFactory(info)
    (partition, task, _) => factory.createWriter(partition, task)
  }

  override def commit(batch: Long, messages: Array[WriterCommitMessage]): Unit =
    try {
      rows.commit(messages)
      val progress = writer.progress(info.queryId)
      val areChanges = StreamedChanges.areIn(info.schema)
      val view = log.folder.open()
      if (areChanges && progress.isNew) checkAlone(progress.others(view))
      if (progress.needs(batch, view)) {
        progress.begin(batch, view.next)
        val commits = log.commits(session, headers, progress.id(batch))
        val staged = session.read.schema(info.schema).parquet(staging.toString)
        if (areChanges) commits.follow(StreamedChanges.last(staged))
        else commits.insert(None, StreamedChanges.statements(staged))
      }
      progress.end(batch, view.refreshed().next)
    } finally writer.remove(staging)

  override def abort(batch: Long, messages: Array[WriterCommitMessage]): Unit =
    try rows.abort(messages)
    finally writer.remove(staging)

  /** Checks that a stream of changes does not repeat those of another one, unless the user knows.
    */
  private def checkAlone(others: => Seq[String]): Unit =
    if (!info.options.getBoolean(OtherStreams, false)) others.headOption.foreach { other =>
      throw new LogException(
        s"the stream $other has written ${log.name}: if this one has a new checkpoint in place " +
          "of a lost one, it would make the same changes again. If it is another stream, or " +
          s"begins where the other ended, set the option $OtherStreams to true"
      )
    }
}

private object StreamedCommits {

  /** The option by which a user says that a log has other streams. */
  private val OtherStreams = "otherStreams"

  /** Options of every stream. */
  private val OfSpark = Seq("checkpointLocation", "queryName", "path")

  /** The local property of Spark that says that a stream runs without micro-batches. */
  private val IsContinuous = "__is_continuous_processing"

  /** Returns a write of Parquet files. */
  private def parquet(folder: Path, info: LogicalWriteInfo): BatchWrite =
    new ParquetDataSourceV2()
      .getTable(info.schema, Array.empty, util.Map.of("path", folder.toString))
      .asInstanceOf[SupportsWrite]
      .newWriteBuilder(info)
      .build()
      .toBatch
}
