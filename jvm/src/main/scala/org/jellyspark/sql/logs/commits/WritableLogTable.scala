package org.jellyspark.sql.logs.commits

import java.util

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.classic
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.types.{DataType, StructType}

import org.jellyspark.log.{LogFolder, LogView}
import org.jellyspark.sql.logs.{Frames, LogQueries, LogTable}

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
  private[this] val log = WrittenLog(catalog, name, folder)

  override def capabilities(): util.Set[TableCapability] = util.EnumSet.of(
    TableCapability.BATCH_READ,
    TableCapability.V1_BATCH_WRITE,
    TableCapability.STREAMING_WRITE,
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
    new LogWriteBuilder(log, view, columns, info)

  /** Commits the changes of a row-level operation.
    *
    * @param rows
    *   as in [[LogCommits.change]]
    */
  def change(rows: classic.DataFrame): Unit =
    log.commits(rows.sparkSession, Map.empty).change(view.get, rows)

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
