package org.jellyspark.sql.messages

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{ArrayType, DataType, StructType}

/** An optimizer rule that makes [[FromMessage]] decode only the columns that a query reads.
  *
  * Spark prunes the columns of files, but it does not know that fields of an expression's result
  * can be left out. So [[MessageReads]] finds what a plan reads of the rows of each message. This
  * rule removes all other columns from the calls, and from the types of everything that holds their
  * rows.
  */
private[sql] object PruneMessageColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.exists(_.expressions.exists(_.exists(_.isInstanceOf[FromMessage])))) plan
    else {
      val moved = plan.transformUp(moveIntoGenerator)
      val reads = new MessageReads(moved)
      moved.transformUp { case node =>
        pruneInlined(node, reads).mapExpressions(prune(_, reads))
      }
    }

  /** Moves a call into the `explode` or `inline` that is the only reader of its column. Otherwise
    * Spark would infer filters on the column and push them down, and each filter would decode the
    * message again.
    */
  private val moveIntoGenerator: PartialFunction[LogicalPlan, LogicalPlan] = {
    case generate @ Generate(generator @ (_: ExplodeBase | _: Inline), _, _, _, _, child: Project)
        if !generate.requiredChildOutput.exists(generator.references.contains) =>
      val call = child.projectList.collectFirst {
        case alias @ Alias(call: FromMessage, _)
            if alias.toAttribute.semanticEquals(generator.children.head) && call.deterministic =>
          move(call, alias, generate, child)
      }
      call.getOrElse(generate)
  }

  private def move(
      call: FromMessage,
      from: Alias,
      generate: Generate,
      project: Project
  ): Generate = {
    val others = project.projectList.filterNot(_.exprId == from.exprId)
    val missing = call.references.filterNot(column => others.exists(_.exprId == column.exprId))
    val child = project.copy(projectList = others ++ missing)
    val required = generate.requiredChildOutput.map(_.exprId).toSet
    generate.copy(
      generator = generate.generator.withNewChildren(Seq(call)).asInstanceOf[Generator],
      unrequiredChildIndex = child.output.indices.filterNot(i => required(child.output(i).exprId)),
      child = child
    )
  }

  /** Removes the columns of `inline` that are not read. */
  private def pruneInlined(node: LogicalPlan, reads: MessageReads): LogicalPlan = node match {
    case generate @ Generate(Inline(call: FromMessage), _, _, _, output, _) =>
      val columns = reads.pruned(call, call.columns).fieldNames.toSet
      generate.copy(generatorOutput = output.zip(call.columns).collect {
        case (attribute, column) if columns(column.name) => attribute
      })
    case _ => node
  }

  /** Prunes the calls in an expression, and updates the types and positions of what is read. */
  private def prune(expression: Expression, reads: MessageReads): Expression = expression match {
    case call: FromMessage =>
      call.copy(child = prune(call.child, reads), columns = reads.pruned(call, call.columns))
    case column: AttributeReference    => column.withDataType(prunedType(column, reads))
    case variable: NamedLambdaVariable => variable.copy(dataType = prunedType(variable, reads))
    case field @ GetStructField(row, ordinal, _) =>
      val child = prune(row, reads)
      (row.dataType, child.dataType) match {
        case (before: StructType, after: StructType) if before != after =>
          field.copy(child, ordinal = after.fieldIndex(before(ordinal).name))
        case _ => field.copy(child)
      }
    case fields: GetArrayStructFields =>
      val child = prune(fields.child, reads)
      (fields.child.dataType, child.dataType) match {
        case (before, ArrayType(after: StructType, _)) if before != child.dataType =>
          val ordinal = after.fieldIndex(fields.field.name)
          fields.copy(child, ordinal = ordinal, numFields = after.length)
        case _ => fields.copy(child)
      }
    case other => other.mapChildren(prune(_, reads))
  }

  private def prunedType(holder: NamedExpression, reads: MessageReads): DataType =
    holder.dataType match {
      case ArrayType(columns: StructType, containsNull) =>
        ArrayType(reads.pruned(holder, columns), containsNull)
      case columns: StructType => reads.pruned(holder, columns)
      case other               => other
    }
}
