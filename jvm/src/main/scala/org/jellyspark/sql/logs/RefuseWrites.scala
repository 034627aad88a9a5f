package org.jellyspark.sql.logs

import java.io.IOException

import scala.jdk.CollectionConverters._
import scala.util.Try
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SaveMode
import org.apache.spark.sql.catalyst.catalog.{CatalogStorageFormat, CatalogTable}
import org.apache.spark.sql.catalyst.plans.logical.{
  LogicalPlan,
  OverwriteByExpression,
  V2WriteCommand
}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.command.DataWritingCommand
import org.apache.spark.sql.execution.datasources.{
  DataSource,
  InsertIntoHadoopFsRelationCommand,
  SaveIntoDataSourceCommand
}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.execution.streaming.sources.WriteToMicroBatchDataSourceV1

import org.jellyspark.LogException
import org.jellyspark.core.formats.OptionParser
import org.jellyspark.log.ManagedFolders
import org.jellyspark.source.SourceOptions

/** Refuses writes into the folders of managed logs, of any data source, and overwriting a folder
  * that has such a folder. Spark calls it before it runs a write, so before it removes files.
  *
  * The commands that create tables, or write to directories, of data sources are not looked at:
  * they run an `InsertIntoHadoopFsRelationCommand`.
  */
private[sql] final class RefuseWrites(session: SparkSession) extends (LogicalPlan => Unit) {
  import RefuseWrites._

  /** Checks a plan.
    *
    * @throws org.jellyspark.LogException
    *   if it writes into a log
    */
  override def apply(plan: LogicalPlan): Unit = plan.foreach {
    case write: InsertIntoHadoopFsRelationCommand =>
      check(Target(write.outputPath, write.options, removesAll(write)))
      partitionsElsewhere(write).foreach(each => check(Target(each, write.options, false)))
    case write: SaveIntoDataSourceCommand =>
      checkPath(write.options, write.mode == SaveMode.Overwrite)
    case write: V2WriteCommand =>
      write.table match {
        case relation: DataSourceV2Relation =>
          val options = relation.options.asCaseSensitiveMap.asScala.toMap
          checkPath(options, write.isInstanceOf[OverwriteByExpression])
        case _ =>
      }
    // Those of Hive, whose classes a session need not have.
    case write: DataWritingCommand =>
      val fields = write.productElementNames.zip(write.productIterator).toMap
      fields.values.flatMap(locationOf).foreach { path =>
        check(Target(path, Map.empty, fields.get("overwrite").contains(true)))
      }
    case stream: WriteToStream =>
      checkStream(stream, Some(new Path(stream.resolvedCheckpointLocation)))
    case batch: WriteToMicroBatchDataSourceV1 => checkStream(batch)
    case _                                    =>
  }

  /** The rule for a session whose analyzer exists already. */
  def asOptimizerRule: Rule[LogicalPlan] = new Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = {
      RefuseWrites.this(plan)
      plan
    }
  }

  /** Checks a stream. If it is refused, the folders that Spark has made for it are removed, unless
    * something is in them: because of the log of the sink, Spark would ignore all files beside it.
    */
  private def checkStream(stream: LogicalPlan, checkpoint: Option[Path] = None): Unit = {
    val sinks = stream.productIterator.flatMap(fileSinkOptions).toSeq
    try {
      stream.foreach(checkCleaning)
      checkpoint.foreach(path => check(Target(path, Map.empty, isOverwrite = false)))
      sinks.foreach(checkPath(_, isOverwrite = false))
    } catch {
      case error: LogException =>
        checkpoint.foreach(removeEmpty(_, Map.empty))
        for (options <- sinks; path <- pathOf(options)) {
          Seq(new Path(path, SinkLog), path).foreach(removeEmpty(_, options))
        }
        throw error
    }
  }

  private def removeEmpty(folder: Path, options: Map[String, String]): Unit =
    try folder.getFileSystem(conf(options)).delete(folder, false)
    catch { case _: IOException => } // It is not empty.

  /** Checks a source of a stream that removes the files that it has read, or moves them. */
  private def checkCleaning(read: LogicalPlan): Unit =
    // The package of `StreamingRelation` differs between versions of Spark.
    read.productIterator.foreach {
      case source: DataSource =>
        val options = CaseInsensitiveMap(source.options)
        if (options.get(CleanSource).exists(!_.equalsIgnoreCase("off"))) {
          (pathOf(options) ++ options.get(ArchiveFolder).map(new Path(_)))
            .foreach(path => check(Target(path, options, isOverwrite = false)))
        }
      case _ =>
    }

  /** Checks the write of a data source whose option `path` need not be the path of files. */
  private def checkPath(options: Map[String, String], isOverwrite: Boolean): Unit =
    pathOf(options).foreach { path =>
      try check(Target(path, options, isOverwrite))
      catch {
        // Another data source knows what it means.
        case NonFatal(error) if !error.isInstanceOf[LogException] && !isOfFiles(path) =>
      }
    }

  private def isOfFiles(path: Path): Boolean = Try(path.getFileSystem(conf(Map.empty))).isSuccess

  private def check(target: Target): Unit = {
    val parser = new OptionParser(target.options)
    if (!parser.boolean(SourceOptions.WriteIntoLogKey, default = false)) {
      val settings = conf(target.options)
      ManagedFolders.containing(target.path, settings).foreach { log =>
        throw new LogException(
          s"${target.path} is in the folder of the log $log, where only the log writes: $Advice"
        )
      }
      if (target.isOverwrite) {
        ManagedFolders.below(target.path, settings).foreach { log =>
          throw new LogException(s"overwriting ${target.path} would remove the log $log: $Advice")
        }
      }
    }
  }

  private def conf(options: Map[String, String]): Configuration =
    session.sessionState.newHadoopConfWithOptions(options)

  /** Whether a write removes all that is in the folder, not only partitions. */
  private def removesAll(write: InsertIntoHadoopFsRelationCommand): Boolean = {
    val mode = new OptionParser(write.options)
      .text("partitionOverwriteMode", session.conf.get("spark.sql.sources.partitionOverwriteMode"))
    write.mode == SaveMode.Overwrite && write.staticPartitions.isEmpty &&
    (write.partitionColumns.isEmpty || !mode.equalsIgnoreCase("dynamic"))
  }

  /** The folders of the partitions of a table that the catalog keeps outside of the table's. */
  private def partitionsElsewhere(write: InsertIntoHadoopFsRelationCommand): Seq[Path] =
    write.catalogTable.toSeq
      .filter(table => table.tracksPartitionsInCatalog && table.partitionColumnNames.nonEmpty)
      .flatMap { table =>
        session.sessionState.catalog.listPartitions(table.identifier, Some(write.staticPartitions))
      }
      .flatMap(_.storage.locationUri)
      .map(new Path(_))
      .filterNot(isWithin(_, write.outputPath))
}

private object RefuseWrites {
  private final case class Target(path: Path, options: Map[String, String], isOverwrite: Boolean)

  private final val Advice = "append a patch with Log.append or Log.commit, or write to another " +
    s"folder (the option ${SourceOptions.WriteIntoLogKey}=true writes there all the same, and can " +
    "destroy the log)"

  private final val CleanSource = "cleanSource"
  private final val ArchiveFolder = "sourceArchiveDir"

  private final val SinkLog = "_spark_metadata"

  private def pathOf(options: Map[String, String]): Option[Path] =
    options
      .collectFirst { case (name, path) if name.equalsIgnoreCase("path") => path }
      .flatMap(path => Try(new Path(path)).toOption)

  private def locationOf(field: Any): Option[Path] = field match {
    case storage: CatalogStorageFormat => storage.locationUri.map(new Path(_))
    case table: CatalogTable           => locationOf(table.storage)
    case _                             => None
  }

  private def isWithin(path: Path, folder: Path): Boolean =
    s"${path.toUri.getPath}/".startsWith(s"${folder.toUri.getPath}/")

  /** The options of the sink of a stream of files. Its package differs between versions of Spark,
    * and the field is private.
    */
  private def fileSinkOptions(sink: Any): Option[Map[String, String]] =
    Option(sink).map(_.getClass).filter(_.getSimpleName == "FileStreamSink").map { sinkClass =>
      val options = sinkClass.getDeclaredField("options")
      options.setAccessible(true)
      options.get(sink).asInstanceOf[Map[String, String]]
    }
}
