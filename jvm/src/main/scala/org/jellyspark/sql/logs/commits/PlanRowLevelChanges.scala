package org.jellyspark.sql.logs.commits

import org.apache.spark.sql.{Row, SparkSession => AnySession}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.{AppendData, LogicalPlan, WriteDelta}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.RowDeltaUtils.{
  DELETE_OPERATION,
  INSERT_OPERATION,
  REINSERT_OPERATION
}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

import org.jellyspark.sql.logs.{ResolveLogTables, StatementChanges}

/** Replaces the writes of row-level operations on logs by a command that commits the changes, and
  * the tables that they read by queries of the files of the logs.
  *
  * Spark makes a `MERGE` that only adds rows an append, of what the table lacks. Before version
  * 4.2, it does so after the rules that replace tables.
  */
private[sql] final class PlanRowLevelChanges(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case write: WriteDelta =>
      (write.originalTable, write.table) match {
        case (LogRelation(log), changed: DataSourceV2Relation) =>
          val query = write.query.transform {
            case read: DataSourceV2Relation if read.table eq changed.table => planned(read, log)
          }
          val added = write.projections.rowProjection.fold(Seq.empty[Int])(_.colOrdinals)
          val deleted = write.projections.rowIdProjection.colOrdinals.head
          CommitRowLevelChanges(log, query, deleted, added)
        case _ => write
      }
    case append: AppendData =>
      append.mapChildren(_.transform { case read: DataSourceV2Relation =>
        ResolveLogTables.planOf(read, session)
      }) match {
        // The write runs the query as it was analyzed.
        case changed: AppendData if changed ne append => changed.storeAnalyzedQuery()
        case other                                    => other
      }
    case _ => plan
  }

  private def planned(relation: DataSourceV2Relation, log: WritableLogTable): LogicalPlan = {
    val rows = log.rows(session).selectExpr("*", s"struct(*) AS ${RowLevelChanges.StatementColumn}")
    val columns = relation.output.map(attribute => rows.col(attribute.name))
    ResolveLogTables.planOf(rows.select(columns: _*), relation.output)
  }
}

private object LogRelation {
  def unapply(relation: DataSourceV2Relation): Option[WritableLogTable] =
    Option(relation.table).collect { case log: WritableLogTable => log }
}

/** Commits the changes of a row-level operation.
  *
  * @param query
  *   the rows to delete and to add. Its first column says which.
  * @param deleted
  *   the ordinal of the column with the deleted statement
  * @param added
  *   the ordinals of the columns of the added statement; empty if nothing is added
  */
private final case class CommitRowLevelChanges(
    table: WritableLogTable,
    query: LogicalPlan,
    deleted: Int,
    added: Seq[Int]
) extends LeafRunnableCommand {
  import CommitRowLevelChanges._
  import LogCommits.{Added, Deleted, Flag}
  import StatementChanges.Statement

  override def innerChildren: Seq[QueryPlan[_]] = Seq(query)

  override def run(session: AnySession): Seq[Row] = {
    val rows = PlannedRows.of(session.asInstanceOf[SparkSession], query)
    // By ordinals: columns of the query can have the same name.
    val named = rows.toDF(rows.columns.indices.map(nameOf): _*)
    val columns =
      Statement.zip(added).map { case (name, ordinal) => s"'$name', ${nameOf(ordinal)}" }
    val whole =
      if (added.isEmpty) nameOf(deleted)
      else s"IF($Deletes, ${nameOf(deleted)}, named_struct(${columns.mkString(", ")}))"
    table.change(
      named
        .where(s"$Operation IN ($DELETE_OPERATION, $INSERT_OPERATION, $REINSERT_OPERATION)")
        .selectExpr(s"$whole AS statement", s"IF($Deletes, $Deleted, $Added) AS $Flag")
        .select("statement.*", Flag)
    )
    Nil
  }
}

private object CommitRowLevelChanges {
  private def nameOf(ordinal: Int): String = s"c$ordinal"

  private val Operation = nameOf(0)
  private val Deletes = s"$Operation = $DELETE_OPERATION"
}
