package org.jellyspark.sql.digests

import org.apache.spark.sql.catalyst.expressions.{Expression, ScalaUDF, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{
  Filter,
  LogicalPlan,
  Project,
  SubqueryAlias,
  Union,
  View
}
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{FileFormat, HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.internal.SQLConf

import org.jellyspark.source.FileSource

/** How much a query reads, if it can be run twice at a low cost: if it only scans files that are
  * fast to read, or what is cached, and filters and projects their rows.
  */
private[jellyspark] object ScannedSize {

  /** Returns the estimated size in bytes; none if the query does more than scan, or if the size is
    * not known, as that of a cache that has not been filled.
    *
    * @param plan
    *   the analyzed plan of the query, with what is cached. To optimize it could evaluate rows, and
    *   fail
    */
  def of(plan: LogicalPlan): Option[BigInt] =
    Option
      .when(plan.collectFirst { case node if !isCheap(node) => node }.isEmpty) {
        plan.collectLeaves().map(_.stats.sizeInBytes)
      }
      .filter(_.forall(_ < SQLConf.get.defaultSizeInBytes))
      .map(_.sum)

  private def isCheap(node: LogicalPlan): Boolean = node match {
    case _: Project | _: Filter | _: Union => node.expressions.forall(isCheap)
    case _: SubqueryAlias | _: View        => true
    case _: InMemoryRelation               => true
    case relation: LogicalRelation         =>
      relation.relation match {
        case files: HadoopFsRelation => isFast(files.fileFormat)
        case _                       => false
      }
    case _ => false
  }

  private def isCheap(expression: Expression): Boolean =
    expression.deterministic && !SubqueryExpression.hasSubquery(expression) &&
      !expression.exists(_.isInstanceOf[ScalaUDF])

  private def isFast(format: FileFormat): Boolean = format match {
    case _: ParquetFileFormat | _: OrcFileFormat => true
    // What no two tasks can read at once, such as Turtle, is slow to read.
    case source: FileSource => source.format.canSplit
    case _                  => false
  }
}
