package org.jellyspark.sql.messages

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.StructType

/** What a plan reads of the rows of each message.
  *
  * Columns, lambda variables and elements of arrays can hold these rows too: all rows of a message,
  * or one of them. The fields that the plan reads from any of them are the columns that the message
  * needs, and it needs all columns if the plan uses one of them as a whole. All calls with the same
  * message and options get the same columns. So Spark decodes the message only once, and a query
  * finds the same errors wherever it reads the message.
  *
  * Calls in the mode PERMISSIVE need all columns, because an error in any of them makes the result
  * null.
  */
private[messages] final class MessageReads(plan: LogicalPlan) {
  import MessageReads._

  // What columns and lambda variables hold of a message.
  private[this] val holders = mutable.Map.empty[ExprId, Held]
  private[this] val fields = mutable.Map.empty[Message, Set[String]].withDefaultValue(Set.empty)
  private[this] val whole = mutable.Set.empty[Message]

  // From the bottom, because a column of rows can be made from another one.
  plan.foreachUp(findHolders)
  plan.foreach(readNode)
  plan.output.foreach(read)

  /** The columns that are read of a call, or of what holds its rows.
    *
    * @param columns
    *   the columns that it has
    */
  def pruned(holder: Expression, columns: StructType): StructType = messageOf(holder) match {
    case Some(message) if !whole(message) =>
      val read = columns.filter(column => fields(message)(column.name))
      // `inline` of structs without fields would not make rows.
      val isEmptyInline = read.isEmpty &&
        holders.values.exists(held => held.message == message && held.field.isDefined)
      StructType(if (isEmptyInline) columns.takeRight(1) else read)
    case _ => columns
  }

  private def findHolders(node: LogicalPlan): Unit = node match {
    case project: Project =>
      project.projectList.foreach {
        case alias @ Alias(call: FromMessage, _) => messageOf(call).foreach(hold(alias, _))
        case _                                   =>
      }
    case generate: Generate =>
      generate.generator match {
        case explode: ExplodeBase =>
          messageOf(explode.child).foreach(hold(generate.generatorOutput.last, _))
        case Inline(call: FromMessage) =>
          for {
            message <- messageOf(call)
            (column, field) <- generate.generatorOutput.zip(call.columns)
          } hold(column, message, Some(field.name))
        case _ =>
      }
    case _ =>
  }

  private def hold(
      holder: NamedExpression,
      message: Message,
      field: Option[String] = None
  ): Unit = {
    val before = holders.put(holder.exprId, Held(message, field))
    // A plan may contain a subplan twice, with different messages in the same column.
    before.map(_.message).filter(_ != message).foreach(whole ++= Seq(message, _))
  }

  private def readNode(node: LogicalPlan): Unit = node match {
    case project: Project =>
      project.projectList.foreach {
        case Alias(call: FromMessage, _) => readArguments(call)
        case other                       => read(other)
      }
    case generate: Generate =>
      generate.generator match {
        case explode: ExplodeBase      => readArguments(explode.child)
        case Inline(call: FromMessage) => readArguments(call)
        case other                     => read(other)
      }
    case _: Filter | _: Sort | _: Aggregate | _: Join | _: Window | _: GlobalLimit | _: LocalLimit |
        _: SubqueryAlias | _: Repartition | _: RepartitionByExpression | _: Sample =>
      node.expressions.foreach(read)
    case _ =>
      // The operator may read all columns of its children.
      node.children.foreach(_.output.foreach(read))
      node.expressions.foreach(read)
  }

  private def read(expression: Expression): Unit = expression match {
    case GetStructField(RowsOf(message), ordinal, _) =>
      val row = expression.children.head
      readField(message, row.dataType.asInstanceOf[StructType](ordinal).name)
      readArguments(row)
    case GetArrayStructFields(rows @ RowsOf(message), field, _, _, _) =>
      readField(message, field.name)
      readArguments(rows)
    case Size(rows @ RowsOf(_), _)                    => readArguments(rows)
    case IsNull(rows @ RowsOf(_))                     => readArguments(rows)
    case IsNotNull(rows @ RowsOf(_))                  => readArguments(rows)
    case LambdaOnRows(rows @ RowsOf(message), lambda) =>
      hold(lambda.arguments.head, message)
      readArguments(rows)
      read(lambda.function)
    case rows @ RowsOf(message) =>
      whole += message
      readArguments(rows)
    case column: Attribute =>
      holders.get(column.exprId).foreach(held => held.field.foreach(readField(held.message, _)))
    case subquery: SubqueryExpression => subquery.references.foreach(read)
    case other                        => other.children.foreach(read)
  }

  private def readField(message: Message, field: String): Unit = fields(message) += field

  /** Reads what the rows are computed from: the message itself, and the index of an element. */
  private def readArguments(rows: Expression): Unit = rows match {
    case call: FromMessage              => read(call.child)
    case _: GetArrayItem | _: ElementAt =>
      readArguments(rows.children.head)
      read(rows.children.last)
    case _: NamedExpression =>
    case other              => read(other)
  }

  private object RowsOf {
    def unapply(rows: Expression): Option[Message] = messageOf(rows)
  }

  private def messageOf(rows: Expression): Option[Message] = rows match {
    case call: FromMessage if !call.message.isPermissive =>
      Some(Message(call.child.canonicalized, call.message))
    case holder: NamedExpression =>
      holders.get(holder.exprId).filter(_.field.isEmpty).map(_.message)
    case _: GetArrayItem | _: ElementAt => messageOf(rows.children.head)
    case _                              => None
  }
}

private object MessageReads {

  /** The message of calls that have the same results. */
  private final case class Message(child: Expression, format: MessageFormat)

  /** Rows of a message, or a field of them, which is what columns of `inline` hold. */
  private final case class Held(message: Message, field: Option[String])

  /** Matches a function that calls a lambda with each row and returns none of the rows. */
  private object LambdaOnRows {
    def unapply(function: Expression): Option[(Expression, LambdaFunction)] = function match {
      case _: ArrayTransform | _: ArrayExists | _: ArrayForAll =>
        Some(function.children.head).zip(function.children.collectFirst {
          case lambda: LambdaFunction => lambda
        })
      case _ => None
    }
  }
}
