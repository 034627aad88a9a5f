package org.jellyspark.sql.logs.commits

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.classic
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.connector.write.streaming.StreamingWrite
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.sources.InsertableRelation
import org.apache.spark.sql.types.StructType

import org.jellyspark.log.LogView
import org.jellyspark.sql.logs.LogFileIndex

/** The writes to a log that are not row-level operations: inserts, overwrites, new logs, and
  * streams.
  *
  * @param log
  *   the log
  * @param view
  *   the log as the statement reads it; none if the statement makes the log
  * @param columns
  *   the columns of the rows that a statement writes
  */
private[commits] final class LogWriteBuilder(
    log: WrittenLog,
    view: Option[LogView],
    columns: StructType,
    info: LogicalWriteInfo
) extends WriteBuilder
    with SupportsTruncate {
  private[this] val options = info.options.asCaseSensitiveMap.asScala.toMap
  private[this] var truncates = false

  override def truncate(): WriteBuilder = {
    truncates = true
    this
  }

  override def build(): Write = new V1Write {
    override def toInsertableRelation: InsertableRelation =
      (rows, _) => write(rows.asInstanceOf[classic.DataFrame])

    override def toStreaming: StreamingWrite = {
      StreamedChanges.check(log.name, info.schema, truncates)
      new StreamedCommits(log, info, options)
    }
  }

  private def write(rows: classic.DataFrame): Unit = {
    val commits = log.commits(rows.sparkSession, options)
    val statements = LogCommits.withGraph(rows.toDF(columns.fieldNames.toIndexedSeq: _*))
    view match {
      case None                    => commits.create(statements)
      case Some(base) if truncates => commits.overwrite(base, statements)
      case _                       => commits.insert(view.filter(_ => isReadBy(rows)), statements)
    }
  }

  /** Whether a query reads files of the log. Spark makes such an `INSERT` of a `MERGE` that only
    * adds rows.
    */
  private def isReadBy(query: classic.DataFrame): Boolean = {
    val path = new Path(log.folder.path)
    val conf = query.sparkSession.sessionState.newHadoopConf()
    val root = s"${path.getFileSystem(conf).makeQualified(path)}/"
    val read = query.queryExecution.analyzed.collectWithSubqueries {
      case relation: LogicalRelation => relation.relation
    }
    read
      .collect { case HadoopFsRelation(files: LogFileIndex, _, _, _, _, _) => files }
      .exists(_.rootPaths.exists(_.toString.startsWith(root)))
  }
}
