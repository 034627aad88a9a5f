package org.jellyspark.sql.logs.commits

import org.apache.spark.sql.connector.expressions.{Expressions, NamedReference}
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.connector.write.RowLevelOperation.Command
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import org.jellyspark.sql.logs.{LogQueries, UnplannedScan}

/** A `DELETE`, `UPDATE` or `MERGE` of the statements of a log. Spark makes a query of the rows to
  * delete and to add of it, which [[PlanRowLevelChanges]] commits.
  */
private[commits] final class RowLevelChanges(table: String, override val command: Command)
    extends RowLevelOperation
    with SupportsDelta {
  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
    new UnplannedScan(table, LogQueries.StateSchema)

  override def newWriteBuilder(info: LogicalWriteInfo): DeltaWriteBuilder =
    UnplannedScan.refuse("change", table)

  override def rowId(): Array[NamedReference] =
    Array(Expressions.column(RowLevelChanges.StatementColumn))

  override def representUpdateAsDeleteAndInsert(): Boolean = true
}

private[commits] object RowLevelChanges {

  /** The hidden column with the statement as a struct. */
  val StatementColumn: String = "_statement"
}
