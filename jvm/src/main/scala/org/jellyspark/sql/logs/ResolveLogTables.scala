package org.jellyspark.sql.logs

import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{
  DeleteFromTable,
  LogicalPlan,
  MergeIntoTable,
  Project,
  UpdateTable
}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

/** Replaces the tables of logs by queries of the files of the logs, but not those that a statement
  * changes.
  */
private[logs] final class ResolveLogTables(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    val changed = plan.collect {
      case delete: DeleteFromTable => delete.table
      case update: UpdateTable     => update.table
      case merge: MergeIntoTable   => merge.targetTable
    }
    val targets = changed.map(EliminateSubqueryAliases(_))
    plan.resolveOperators {
      case relation: DataSourceV2Relation if !targets.exists(_ eq relation) =>
        ResolveLogTables.planOf(relation, session)
    }
  }
}

private[logs] object ResolveLogTables {

  /** Returns the query of the files of a log, given its table. Other tables stay as they are. */
  def planOf(relation: DataSourceV2Relation, session: SparkSession): LogicalPlan =
    relation.table match {
      case table: LogTable => planOf(table.rows(session), relation.output)
      case _               => relation
    }

  /** Returns the plan of a query, with attributes that other parts of a plan refer to already. */
  def planOf(rows: DataFrame, output: Seq[Attribute]): LogicalPlan = {
    val plan = rows.queryExecution.analyzed
    Project(
      output.zip(plan.output).map { case (attribute, column) =>
        Alias(column, attribute.name)(attribute.exprId, attribute.qualifier)
      },
      plan
    )
  }
}
