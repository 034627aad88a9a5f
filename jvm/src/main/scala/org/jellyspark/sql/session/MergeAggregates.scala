package org.jellyspark.sql.session

import org.apache.spark.sql.catalyst.expressions.aggregate.{Complete, Final, Partial}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.aggregate.HashAggregateExec

/** A rule for physical plans that merges two hash aggregations, partial and final, if there is no
  * shuffle between them.
  *
  * Spark always plans both. If the rows of a group are already in one partition, as after
  * `repartition`, the first aggregation finds each group, and the second one does the same work
  * again. The algebra shuffles rows by statement and then groups them, so it profits most.
  *
  * Spark applies the rule in adaptive execution only, which is on by default.
  */
private[sql] object MergeAggregates extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    case last: HashAggregateExec =>
      last.child match {
        case first: HashAggregateExec if isPair(first, last) => merged(first, last)
        case _                                               => last
      }
  }

  private def isPair(first: HashAggregateExec, last: HashAggregateExec): Boolean =
    !last.isStreaming && last.groupingExpressions.nonEmpty &&
      first.aggregateExpressions.forall(_.mode == Partial) &&
      last.aggregateExpressions.forall(_.mode == Final) &&
      first.aggregateExpressions.map(_.resultId) == last.aggregateExpressions.map(_.resultId) &&
      first.groupingExpressions.map(_.exprId) == last.groupingExpressions.map(_.exprId)

  private def merged(first: HashAggregateExec, last: HashAggregateExec): HashAggregateExec =
    last.copy(
      groupingExpressions = first.groupingExpressions,
      aggregateExpressions = last.aggregateExpressions.map(_.copy(mode = Complete)),
      initialInputBufferOffset = 0,
      child = first.child
    )
}
