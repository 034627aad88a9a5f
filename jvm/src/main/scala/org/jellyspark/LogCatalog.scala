package org.jellyspark

import java.io.FileNotFoundException
import java.util

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.analysis.{
  NoSuchNamespaceException,
  NoSuchTableException,
  TableAlreadyExistsException
}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import org.jellyspark.log.LogFolder
import org.jellyspark.source.SparkVersion
import org.jellyspark.sql.logs.{LogChangelogs, LogTables}
import org.jellyspark.sql.logs.commits.{NewLogs, WritableLogTable}

/** A catalog of the managed logs in a folder.
  * {{{
  * spark.sql.catalog.logs      = org.jellyspark.LogCatalog
  * spark.sql.catalog.logs.path = s3a://bucket/logs
  * }}}
  * Each subfolder that is a managed log is a table with the statements of its last version;
  * `VERSION AS OF` and `TIMESTAMP AS OF` select another. A log is also a namespace, with a table
  * `versions`, which is read-only.
  */
final class LogCatalog extends StagingTableCatalog {
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

  override def tableExists(table: Identifier): Boolean =
    if (isVersions(table)) find(table.namespace.head).isDefined
    else table.namespace.isEmpty && find(table.name).isDefined

  override def loadTable(table: Identifier): Table =
    if (isVersions(table)) {
      LogTables.versions(nameOf(table), folderOf(table, table.namespace.head).open())
    } else {
      val log = folderOfState(table)
      new WritableLogTable(catalog, nameOf(table), log, Some(log.open()))
    }

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

  override def createTable(
      table: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): Table = {
    val made = stageCreate(table, columns, partitions, properties)
    if (!made.create()) throw new TableAlreadyExistsException(table)
    made
  }

  /** Returns a table whose log is made when it is written, for `CREATE TABLE … AS SELECT`. */
  override def stageCreate(
      table: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): WritableLogTable = {
    if (table.namespace.nonEmpty) throw new NoSuchNamespaceException(catalog +: table.namespace)
    if (find(table.name).isDefined) throw new TableAlreadyExistsException(table)
    val name = nameOf(table)
    val log = folder(table.name).getOrElse {
      throw new OptionException(s"$name cannot be a log, because no folder can have this name")
    }
    val written = NewLogs.columns(name, log, columns, partitions, properties)
    new WritableLogTable(catalog, name, log, None, written)
  }

  override def stageCreateOrReplace(
      table: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable =
    if (find(table.name).isDefined) {
      refuse("be replaced: INSERT OVERWRITE commits the difference to other statements")
    } else stageCreate(table, columns, partitions, properties)

  override def stageReplace(
      table: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable = stageCreateOrReplace(table, columns, partitions, properties)

  /** Removes a log with all its patches, if the setting `allowDrop` of the catalog is true. */
  override def dropTable(table: Identifier): Boolean =
    table.namespace.isEmpty && find(table.name).exists { log =>
      val setting = s"spark.sql.catalog.$catalog.$AllowDrop"
      if (!SparkSession.active.conf.get(setting, "false").equalsIgnoreCase("true")) {
        refuse(s"be dropped, as this removes all its patches: set $setting to true to do so")
      }
      val path = new Path(log.path)
      path.getFileSystem(conf).delete(path, true)
    }

  override def purgeTable(table: Identifier): Boolean = dropTable(table)

  override def alterTable(table: Identifier, changes: TableChange*): Table =
    refuse("be altered")

  override def renameTable(from: Identifier, to: Identifier): Unit = refuse("be renamed")

  /** Returns the folder of the log of a table of statements. */
  private def folderOfState(table: Identifier): LogFolder =
    if (table.namespace.isEmpty) folderOf(table, table.name)
    else throw new NoSuchTableException(table)

  private def folderOf(table: Identifier, name: String): LogFolder =
    find(name).getOrElse {
      // Opening a folder of other patches says what makes it a log.
      folder(name).filter(_.hasPatches).foreach(_.open())
      throw new NoSuchTableException(table)
    }

  private def find(name: String): Option[LogFolder] = folder(name).filter(_.isManaged)

  /** Returns a subfolder; none if no subfolder can have the name. */
  private def folder(name: String): Option[LogFolder] =
    Option.when(name.nonEmpty && !name.startsWith(".") && !name.contains('/')) {
      // A name with a colon would be a scheme.
      new LogFolder(new Path(root, new Path(null, null, name)).toString, conf)
    }

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

  private def refuse(what: String): Nothing =
    throw new JellySparkException(s"a table of the catalog $catalog is a log, which cannot $what")
}

private object LogCatalog {
  private val PathSetting = "path"
  private val AllowDrop = "allowDrop"
  private val VersionsTable = "versions"
}
