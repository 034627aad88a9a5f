package org.jellyspark.sql.logs.commits

import java.util

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog.{Column, TableCatalog}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.types.{StringType, StructField, StructType}

import org.jellyspark.OptionException
import org.jellyspark.log.{LogFolder, LogWriter}
import org.jellyspark.source.RowSchema
import org.jellyspark.sql.logs.LogQueries
import org.jellyspark.sql.logs.StatementChanges.Statement

/** Makes logs by `CREATE TABLE`. */
private[jellyspark] object NewLogs {

  /** Makes a folder an empty log; returns false if it is a log already.
    *
    * @throws org.jellyspark.LogException
    *   if the folder has other patches
    */
  def create(folder: LogFolder): Boolean = writer(folder).create()

  private def writer(folder: LogFolder) =
    new LogWriter(folder.path, SparkSession.active.sessionState.newHadoopConf())

  /** Returns the columns that rows of a new table have, after a check of what a user says of it,
    * and that its folder can become a log.
    *
    * @throws org.jellyspark.OptionException
    *   if a log cannot be such a table
    * @throws org.jellyspark.LogException
    *   if the folder has other patches
    */
  def columns(
      name: String,
      folder: LogFolder,
      defined: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StructType = {
    def refuse(found: String): Nothing = throw new OptionException(
      s"$name would be a log, whose columns are ${Statement.mkString(", ")}, all of type string, " +
        s"and which has no partitions and no properties; found $found. CREATE TABLE $name makes it"
    )
    val names = defined.map(column => RowSchema.canonical(column.name)).toSeq
    // The graph may be left out.
    val isComplete = Seq(Statement, Statement.init).exists(_.sorted == names.sorted)
    if (names.nonEmpty && !isComplete) refuse(s"the columns ${names.mkString(", ")}")
    defined.find(_.dataType != StringType).foreach { column =>
      refuse(s"the type ${column.dataType.simpleString} of ${column.name}")
    }
    if (partitions.nonEmpty) refuse(s"partitions by ${partitions.map(_.describe).mkString(", ")}")
    properties.asScala.find { case (key, value) => !isHarmless(key, value) }.foreach {
      case (key, value) => refuse(s"$key $value")
    }
    writer(folder).checkAppendable()
    if (names.isEmpty) LogQueries.StateSchema
    else StructType(names.map(StructField(_, StringType)))
  }

  /** Whether Spark adds a property, or it says what a log is anyway. */
  private def isHarmless(key: String, value: String): Boolean =
    key == TableCatalog.PROP_OWNER ||
      key == TableCatalog.PROP_PROVIDER && value.equalsIgnoreCase("jelly_patch")
}
