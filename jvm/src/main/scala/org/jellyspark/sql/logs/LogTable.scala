package org.jellyspark.sql.logs

import java.util

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.connector.catalog.{SupportsRead, Table, TableCapability}
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** A table of a log. It is not scanned: [[ResolveLogTables]] replaces it by a query of the log's
  * files, so that Spark optimizes the whole.
  */
private[sql] class LogTable(
    override val name: String,
    override val schema: StructType,
    query: SparkSession => DataFrame
) extends Table
    with SupportsRead {

  /** What the progress of a stream shows. */
  override def toString: String = name

  /** The query that gives the rows of the table. */
  def rows(session: SparkSession): DataFrame = query(session)

  override def capabilities(): util.Set[TableCapability] =
    util.EnumSet.of(TableCapability.BATCH_READ)

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
    new UnplannedScan(name, schema)
}
