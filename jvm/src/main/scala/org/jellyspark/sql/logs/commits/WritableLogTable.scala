package org.jellyspark.sql.logs.commits

import java.util

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.sources.InsertableRelation
import org.apache.spark.sql.types.{DataType, StructType}

import org.jellyspark.log.{LogFolder, LogView}
import org.jellyspark.sql.logs.{Frames, LogFileIndex, LogQueries, LogTable}

/** The statements of a log after its last patch, as a table that can be written. Each statement of
  * SQL that changes something appends a patch.
  *
  * @param catalog
  *   the name of its catalog
  * @param folder
  *   the folder of the log
  * @param view
  *   the log as the statement reads it; none if the statement makes the log
  * @param columns
  *   the columns of the rows that are written: those of a statement. A log that is made may be
  *   given them in any order, and without graphs
  */
private[jellyspark] final class WritableLogTable(
    catalog: String,
    name: String,
    folder: LogFolder,
    view: Option[LogView],
    columns: StructType = LogQueries.StateSchema
) extends LogTable(
      name,
      columns,
      session =>
        view.fold[classic.DataFrame](Frames.empty(session, LogQueries.StateSchema)) { log =>
          new LogQueries(session, log).state(log.next - 1)
        }
    )
    with StagedTable
    with SupportsWrite
    with SupportsMetadataColumns
    with SupportsRowLevelOperations {

  override def capabilities(): util.Set[TableCapability] = util.EnumSet.of(
    TableCapability.BATCH_READ,
    TableCapability.V1_BATCH_WRITE,
    TableCapability.TRUNCATE
  )

  override def properties(): util.Map[String, String] = {
    val ofLog = view.toSeq.flatMap { log =>
      Seq(
        "patches" -> (log.next - log.begin).toString,
        "begin" -> log.begin.toString,
        "size" -> log.files(log.begin, log.next).map(_.size).sum.toString
      ) ++ log.head.map("head" -> _)
    }
    (ofLog :+ (TableCatalog.PROP_LOCATION -> folder.path)).toMap.asJava
  }

  override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder =
    new WriteBuilder with SupportsTruncate {
      private[this] var truncates = false

      override def truncate(): WriteBuilder = {
        truncates = true
        this
      }

      override def build(): Write = {
        val options = info.options.asCaseSensitiveMap.asScala.toMap
        new V1Write {
          override def toInsertableRelation: InsertableRelation =
            (rows, _) => write(rows, options, truncates)
        }
      }
    }

  private def write(rows: DataFrame, options: Map[String, String], truncates: Boolean): Unit = {
    val data = rows.asInstanceOf[classic.DataFrame]
    val commits = commitsOf(data.sparkSession, options)
    val named = data.toDF(columns.fieldNames.toIndexedSeq: _*)
    val hasGraph = columns.fieldNames.contains("graph")
    val statements = if (hasGraph) named else named.selectExpr("*", "CAST(NULL AS STRING) AS graph")
    view match {
      case None                   => commits.create(statements)
      case Some(log) if truncates => commits.overwrite(log, statements)
      case _                      => commits.insert(view.filter(_ => isReadBy(data)), statements)
    }
  }

  /** Whether a query reads files of the log. Spark makes such an `INSERT` of a `MERGE` that only
    * adds rows.
    */
  private def isReadBy(query: classic.DataFrame): Boolean = {
    val path = new Path(folder.path)
    val conf = query.sparkSession.sessionState.newHadoopConf()
    val root = s"${path.getFileSystem(conf).makeQualified(path)}/"
    val read = query.queryExecution.analyzed.collectWithSubqueries {
      case relation: LogicalRelation => relation.relation
    }
    read
      .collect { case HadoopFsRelation(log: LogFileIndex, _, _, _, _, _) => log }
      .exists(_.rootPaths.exists(_.toString.startsWith(root)))
  }

  /** Commits the changes of a row-level operation.
    *
    * @param rows
    *   as in [[LogCommits.change]]
    */
  def change(rows: classic.DataFrame): Unit =
    commitsOf(rows.sparkSession, Map.empty).change(view.get, rows)

  private def commitsOf(session: classic.SparkSession, options: Map[String, String]): LogCommits = {
    val prefix = s"spark.sql.catalog.$catalog."
    val settings = session.conf.getAll.collect {
      case (key, value) if key.startsWith(prefix) => key.drop(prefix.length) -> value
    }
    new LogCommits(session, name, folder, CommitHeaders.of(options, settings))
  }

  /** The statement itself identifies a row. A graph may be null, which Spark allows in a struct. */
  override def metadataColumns(): Array[MetadataColumn] = Array(new MetadataColumn {
    override def name(): String = RowLevelChanges.StatementColumn
    override def dataType(): DataType = LogQueries.StateSchema
    override def isNullable: Boolean = false
  })

  override def newRowLevelOperationBuilder(
      info: RowLevelOperationInfo
  ): RowLevelOperationBuilder = () => new RowLevelChanges(name, info.command)

  /** Makes the log; returns false if there is one already. */
  def create(): Boolean = NewLogs.create(folder)

  /** Makes the log, unless its first statements did. */
  override def commitStagedChanges(): Unit = create(): Unit

  override def abortStagedChanges(): Unit = ()
}
