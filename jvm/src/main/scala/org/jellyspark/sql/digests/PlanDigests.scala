package org.jellyspark.sql.digests

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Partial}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{SparkPlan, UnionExec}
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

/** A rule for physical plans that computes digests by [[DigestExec]], of each side of a union,
  * where an exchange brings them together.
  *
  * Spark applies the rule in adaptive execution only, which is on by default.
  */
private[sql] object PlanDigests extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan = plan.transform {
    case exchange: ShuffleExchangeExec => exchange.mapChildren(planned)
  }

  private def planned(plan: SparkPlan): SparkPlan = plan match {
    case aggregation: ObjectHashAggregateExec
        if aggregation.groupingExpressions.isEmpty && !aggregation.isStreaming =>
      aggregation.aggregateExpressions match {
        case Seq(AggregateExpression(function: DigestMarks, Partial, _, None, _)) =>
          val found = digest(function.children, aggregation.output.head, aggregation.child)
          // Spark finds the logical plan of a physical one by its tags.
          found.copyTagsFrom(aggregation)
          found
        case _ => aggregation
      }
    case _ => plan
  }

  private def digest(arguments: Seq[Expression], column: Attribute, child: SparkPlan): SparkPlan =
    child match {
      case union: UnionExec =>
        val parts = union.children.zipWithIndex.map { case (part, i) =>
          val columns = union.output.zip(part.output).toMap[Attribute, Attribute]
          val ofPart = arguments.map(_.transform { case used: Attribute =>
            columns.getOrElse(used, used)
          })
          digest(ofPart, if (i == 0) column else column.newInstance(), part)
        }
        union.copy(children = parts)
      case _ => DigestExec(arguments, column, child)
    }
}
