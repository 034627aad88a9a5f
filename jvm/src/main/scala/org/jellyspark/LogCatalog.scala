package org.jellyspark

import java.io.FileNotFoundException
import java.util

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.analysis.{NoSuchNamespaceException, NoSuchTableException}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import org.jellyspark.log.LogFolder
import org.jellyspark.source.SparkVersion
import org.jellyspark.sql.logs.{LogChangelogs, LogTables}

/** A catalog of the managed logs in a folder.
  * {{{
  * spark.sql.catalog.logs      = org.jellyspark.LogCatalog
  * spark.sql.catalog.logs.path = s3a://bucket/logs
  * }}}
  * Each subfolder that is a managed log is a table with the statements of its last version;
  * `VERSION AS OF` and `TIMESTAMP AS OF` select another. A log is also a namespace, with a table
  * `versions`. The tables are read-only: `Log` of Python writes.
  */
final class LogCatalog extends TableCatalog {
  import LogCatalog._

  private[this] var catalog: String = _
  private[this] var root: Path = _

  override def name(): String = catalog

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = {
    SparkVersion.check()
    catalog = name
    root = Option(options.get(PathSetting)).filter(_.nonEmpty).map(new Path(_)).getOrElse {
      throw new OptionException(
        s"the catalog $name has no path: set spark.sql.catalog.$name.$PathSetting to the folder of " +
          "the logs"
      )
    }
  }

  override def listTables(namespace: Array[String]): Array[Identifier] = namespace match {
    case Array()                             => folders.map(Identifier.of(Array.empty, _))
    case Array(name) if find(name).isDefined => Array(Identifier.of(namespace, VersionsTable))
    case _ => throw new NoSuchNamespaceException(catalog +: namespace)
  }

  override def loadTable(table: Identifier): Table =
    if (isVersions(table)) {
      LogTables.versions(nameOf(table), folderOf(table, table.namespace.head).open())
    } else LogTables.head(nameOf(table), folderOfState(table).open())

  override def loadTable(table: Identifier, version: String): Table =
    LogTables.at(nameOf(table), folderOfState(table).open(), version)

  override def loadTable(table: Identifier, time: Long): Table =
    LogTables.at(nameOf(table), folderOfState(table).open(), time)

  /** Returns the changes of a log. Only Spark 4.2 and later call it. */
  override def loadChangelog(
      table: Identifier,
      context: ChangelogContext,
      options: CaseInsensitiveStringMap
  ): Changelog = LogChangelogs.open(nameOf(table), folderOfState(table), context)

  override def loadTable(table: Identifier, privileges: util.Set[TableWritePrivilege]): Table =
    refuse()

  override def createTable(
      table: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): Table = refuse()

  override def createTable(
      table: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): Table = refuse()

  override def alterTable(table: Identifier, changes: TableChange*): Table = refuse()

  override def dropTable(table: Identifier): Boolean = refuse()

  override def purgeTable(table: Identifier): Boolean = refuse()

  override def renameTable(from: Identifier, to: Identifier): Unit = refuse()

  /** Returns the folder of the log of a table of statements. */
  private def folderOfState(table: Identifier): LogFolder =
    if (table.namespace.isEmpty) folderOf(table, table.name)
    else throw new NoSuchTableException(table)

  private def folderOf(table: Identifier, name: String): LogFolder =
    find(name).getOrElse(throw new NoSuchTableException(table))

  private def find(name: String): Option[LogFolder] =
    Option
      .when(name.nonEmpty && !name.startsWith(".") && !name.contains('/'))(
        // A name with a colon would be a scheme.
        new LogFolder(new Path(root, new Path(null, null, name)).toString, conf)
      )
      .filter(_.isManaged)

  private def folders: Array[String] = list()
    .collect { case status if status.isDirectory => status.getPath.getName }
    .filter(find(_).isDefined)
    .sorted

  private def list(): Array[FileStatus] =
    try root.getFileSystem(conf).listStatus(root)
    catch {
      case _: FileNotFoundException =>
        throw new OptionException(s"the catalog $catalog cannot find its $PathSetting $root")
    }

  private def conf = SparkSession.active.sessionState.newHadoopConf()

  private def nameOf(table: Identifier): String =
    (catalog +: table.namespace :+ table.name).mkString(".")

  private def isVersions(table: Identifier): Boolean =
    table.namespace.length == 1 && table.name.equalsIgnoreCase(VersionsTable)

  private def refuse(): Nothing = throw new JellySparkException(
    s"the catalog $catalog is read-only: append to its logs with jelly_spark.log.Log"
  )
}

private object LogCatalog {
  private val PathSetting = "path"
  private val VersionsTable = "versions"
}
