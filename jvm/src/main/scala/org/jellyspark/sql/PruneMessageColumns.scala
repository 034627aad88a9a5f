package org.jellyspark.sql

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{ArrayType, StructType}

/** An optimizer rule that makes [[FromMessage]] decode only the columns that a query reads.
  *
  * Spark prunes the columns of files, but it does not know that fields of an expression's result
  * can be left out. So this rule finds the readers of those fields:
  *
  *   - an expression around the call, such as `size(from_jelly_patch(v))`,
  *     `from_jelly_patch(v).subject` or `exists(from_jelly_patch(v), row -> row.op = 'D')`;
  *   - the plan above the call: it may read fields of the column of `explode(…)`, columns of
  *     `inline(…)`, or fields of a column that holds the array itself.
  *
  * A column that is read as a whole anywhere keeps all its fields.
  */
private[sql] object PruneMessageColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.exists(_.expressions.exists(_.exists(_.isInstanceOf[FromMessage])))) plan
    else
      pruneColumns(
        plan.transformUp(moveIntoGenerator).transformUp { case node => pruneInside(node) }
      )

  /** Moves a call into the `explode` or `inline` that is the only reader of its column. Otherwise
    * Spark would infer filters on the column and push them down, and each filter would decode the
    * message again.
    */
  private val moveIntoGenerator: PartialFunction[LogicalPlan, LogicalPlan] = {
    case generate: Generate if callBelow(generate).isDefined =>
      val (alias, call) = callBelow(generate).get
      val project = generate.child.asInstanceOf[Project]
      val others = project.projectList.filterNot(_.exprId == alias.exprId)
      val missing = call.references.filterNot(column => others.exists(_.exprId == column.exprId))
      val child = project.copy(projectList = others ++ missing)
      val required = generate.requiredChildOutput.map(_.exprId).toSet
      generate.copy(
        generator = generate.generator.withNewChildren(Seq(call)).asInstanceOf[Generator],
        unrequiredChildIndex =
          child.output.indices.filterNot(i => required(child.output(i).exprId)),
        child = child
      )
  }

  /** The call whose column the operator right below creates, if only this generator reads it. */
  private def callBelow(generate: Generate): Option[(Alias, FromMessage)] =
    (generate.generator, generate.child) match {
      case (generator @ (_: ExplodeBase | _: Inline), project: Project) =>
        generator.children.head match {
          case column: Attribute
              if !generate.requiredChildOutput.exists(_.exprId == column.exprId) =>
            project.projectList.collectFirst {
              case alias @ Alias(call: FromMessage, _)
                  if alias.exprId == column.exprId && call.deterministic =>
                (alias, call)
            }
          case _ => None
        }
      case _ => None
    }

  /** Prunes the calls of an operator according to the expressions around them. All calls for the
    * same message get the same columns, so that Spark decodes the message only once.
    */
  private def pruneInside(node: LogicalPlan): LogicalPlan =
    if (!node.expressions.exists(_.exists(_.isInstanceOf[FromMessage]))) node
    else {
      val needs = new FieldNeeds
      node.expressions.foreach(needs.add)
      node.transformExpressions {
        case IsNotNull(rows: FromMessage) if !rows.message.isPermissive => IsNotNull(rows.child)
        case IsNull(rows: FromMessage) if !rows.message.isPermissive    => IsNull(rows.child)
        case size @ Size(rows: FromMessage, _) if needs.canPrune(rows)  =>
          size.copy(child = needs.pruned(rows))
        case fields @ GetArrayStructFields(rows: FromMessage, field, _, _, _)
            if needs.canPrune(rows) =>
          val pruned = needs.pruned(rows)
          fields.copy(
            child = pruned,
            ordinal = pruned.columns.fieldIndex(field.name),
            numFields = pruned.columns.length
          )
        case field @ GetStructField(RowOfMessage(element, rows), ordinal, _)
            if needs.canPrune(rows) =>
          val pruned = needs.pruned(rows)
          field.copy(
            child = element.withNewChildren(pruned +: element.children.tail),
            ordinal = pruned.columns.fieldIndex(rows.columns(ordinal).name)
          )
        case LambdaOfRows(function, rows, lambda, _) if needs.canPrune(rows) =>
          val pruned = needs.pruned(rows)
          function.withNewChildren(Seq(pruned, withElement(lambda, pruned.columns)))
      }
    }

  /** The lambda, rewritten for an element that has only some of the fields. */
  private def withElement(lambda: LambdaFunction, fields: StructType): Expression = {
    val element = lambda.arguments.head.exprId
    lambda.transform {
      case field @ GetStructField(used: NamedLambdaVariable, ordinal, _)
          if used.exprId == element && used.dataType != fields =>
        val name = used.dataType.asInstanceOf[StructType](ordinal).name
        field.copy(child = used.copy(dataType = fields), ordinal = fields.fieldIndex(name))
      case used: NamedLambdaVariable if used.exprId == element => used.copy(dataType = fields)
    }
  }

  private def pruneColumns(plan: LogicalPlan): LogicalPlan = {
    val uses = new ColumnUses(plan)
    val renewed = uses.pruned
    if (renewed.isEmpty && uses.unreadInlined.isEmpty) plan
    else plan.transformUp { case node => prune(node, renewed, uses.unreadInlined) }
  }

  /** Prunes the calls in an operator, and updates the references to their results.
    *
    * @param renewed
    *   the remaining fields of each pruned column
    * @param unread
    *   the columns of `inline` that are not read
    */
  private def prune(
      node: LogicalPlan,
      renewed: Map[ExprId, StructType],
      unread: Set[ExprId]
  ): LogicalPlan = {
    val rewritten = node.transformExpressions {
      case field @ GetStructField(column: Attribute, ordinal, _)
          if renewed.contains(column.exprId) && column.dataType != renewed(column.exprId) =>
        val name = column.dataType.asInstanceOf[StructType](ordinal).name
        val left = renewed(column.exprId)
        field.copy(child = column.withDataType(left), ordinal = left.fieldIndex(name))
      case fields @ GetArrayStructFields(column: Attribute, field, _, _, _)
          if renewed.contains(column.exprId) && elementOf(column) != renewed(column.exprId) =>
        val left = renewed(column.exprId)
        fields.copy(
          child = column.withDataType(arrayOf(left)),
          ordinal = left.fieldIndex(field.name),
          numFields = left.length
        )
      case column: AttributeReference if renewed.contains(column.exprId) =>
        val left = renewed(column.exprId)
        column.withDataType(if (column.dataType.isInstanceOf[ArrayType]) arrayOf(left) else left)
      case alias @ Alias(rows: FromMessage, _) if renewed.contains(alias.exprId) =>
        alias.withNewChildren(Seq(rows.withColumns(renewed(alias.exprId).fieldNames.toSet)))
    }
    rewritten match {
      case generate: Generate => prune(generate, renewed, unread)
      case other              => other
    }
  }

  private def prune(
      generate: Generate,
      renewed: Map[ExprId, StructType],
      unread: Set[ExprId]
  ): LogicalPlan = generate.generator match {
    case explode: ExplodeBase =>
      val rows = explode.child
      renewed.get(generate.generatorOutput.last.exprId) match {
        case Some(left) if rows.isInstanceOf[FromMessage] =>
          val pruned = rows.asInstanceOf[FromMessage].withColumns(left.fieldNames.toSet)
          withGenerator(generate, explode.withNewChildren(Seq(pruned)))
        case _ => generate
      }
    case inline @ Inline(rows: FromMessage) =>
      val left = generate.generatorOutput.filterNot(column => unread(column.exprId))
      if (left.length == generate.generatorOutput.length) generate
      else {
        val names = generate.generatorOutput
          .zip(rows.columns)
          .collect { case (column, field) if !unread(column.exprId) => field.name }
        withGenerator(
          generate.copy(generatorOutput = left),
          inline.copy(child = rows.withColumns(names.toSet))
        )
      }
    case _ => generate
  }

  private def withGenerator(generate: Generate, generator: Expression): Generate =
    generate.copy(generator = generator.asInstanceOf[Generator])

  private def elementOf(column: Attribute): Any = column.dataType match {
    case ArrayType(element, _) => element
    case other                 => other
  }

  private def arrayOf(columns: StructType): ArrayType = ArrayType(columns, containsNull = false)
}

/** Matches an expression that selects an element of a message's rows. */
private object RowOfMessage {
  def unapply(element: Expression): Option[(Expression, FromMessage)] = element match {
    case _: GetArrayItem | _: ElementAt =>
      Some(element.children.head).collect { case rows: FromMessage => (element, rows) }
    case _ => None
  }
}

/** Matches a function that calls a lambda with each row of a message and returns none of the rows.
  * The last component is the set of fields that the lambda reads. There is no match if the lambda
  * uses its row as a whole.
  */
private object LambdaOfRows {
  def unapply(
      function: Expression
  ): Option[(Expression, FromMessage, LambdaFunction, Set[String])] = function match {
    case _: ArrayTransform | _: ArrayExists | _: ArrayForAll =>
      (function.children.head, function.children(1)) match {
        case (rows: FromMessage, lambda: LambdaFunction) =>
          val element = lambda.arguments.head.exprId
          val uses = lambda.function.collect {
            case used: NamedLambdaVariable if used.exprId == element => used
          }
          val fields = lambda.function.collect {
            case GetStructField(used: NamedLambdaVariable, ordinal, _) if used.exprId == element =>
              rows.columns(ordinal).name
          }
          Option.when(uses.length == fields.length)((function, rows, lambda, fields.toSet))
        case _ => None
      }
    case _ => None
  }
}

/** The fields that the expressions of an operator read from each message. */
private final class FieldNeeds {
  private[this] val needs = mutable.Map.empty[(Expression, MessageFormat), Set[String]]

  /** Adds the fields that an expression reads. */
  def add(expression: Expression): Unit = expression match {
    case Size(rows: FromMessage, _)                                 => add(rows, Set.empty[String])
    case IsNull(rows: FromMessage) if !rows.message.isPermissive    => add(rows.child)
    case IsNotNull(rows: FromMessage) if !rows.message.isPermissive => add(rows.child)
    case GetArrayStructFields(rows: FromMessage, field, _, _, _)    => add(rows, Set(field.name))
    case GetStructField(RowOfMessage(element, rows), ordinal, _)    =>
      add(rows, Set(rows.columns(ordinal).name))
      element.children.tail.foreach(add)
    case LambdaOfRows(_, rows, lambda, fields) =>
      add(rows, fields)
      add(lambda)
    case rows: FromMessage => add(rows, rows.columns.fieldNames.toSet)
    case other             => other.children.foreach(add)
  }

  /** Whether some columns of a call are not read. This is unknown, and false, for a call within a
    * lambda whose element was just pruned, because its argument has changed. The next pass of the
    * rule handles it.
    */
  def canPrune(rows: FromMessage): Boolean =
    needs.contains(keyOf(rows)) && pruned(rows).columns != rows.columns

  /** The call, reduced to the columns that are read. */
  def pruned(rows: FromMessage): FromMessage = rows.withColumns(needs(keyOf(rows)))

  private def add(rows: FromMessage, fields: Set[String]): Unit = {
    needs(keyOf(rows)) = needs.getOrElse(keyOf(rows), Set.empty) ++ fields
    add(rows.child)
  }

  private def keyOf(rows: FromMessage): (Expression, MessageFormat) =
    (rows.child.canonicalized, rows.message)
}

/** The columns of a plan that hold rows of messages, as arrays or as structs, and how the plan
  * reads them.
  */
private final class ColumnUses(plan: LogicalPlan) {
  // The call whose rows a column holds, as an array or as one element of it.
  private[this] val calls = mutable.Map.empty[ExprId, FromMessage]
  // The columns of structs, each with the column of arrays that it comes from.
  private[this] val elements = mutable.Map.empty[ExprId, ExprId]
  // The columns that `inline` creates from each call.
  private[this] val inlined = mutable.ArrayBuffer.empty[Seq[ExprId]]
  // The fields that are read from each column.
  private[this] val fields = mutable.Map.empty[ExprId, mutable.Set[String]]
  // The columns that are read as a whole.
  private[this] val whole = mutable.Set.empty[ExprId]

  plan.foreach(findColumns)
  elements.filterInPlace((_, array) => calls.contains(array))
  elements.foreach { case (element, array) => add(element, calls(array)) }
  plan.foreach(findUses)
  plan.output.foreach(readWhole)

  /** The remaining fields of each column that can be pruned. */
  def pruned: Map[ExprId, StructType] = {
    val read = calls.keys.map(id => id -> mutable.Set.from(fields.getOrElse(id, Nil))).toMap
    elements.foreach { case (element, array) =>
      if (whole(element)) whole += array
      read(array) ++= read(element)
    }
    // An element has the same fields as its array.
    elements.foreach { case (element, array) =>
      if (whole(array)) whole += element
      read(element) ++= read(array)
    }
    calls.toMap.collect {
      case (id, rows) if !whole(id) && !rows.columns.fieldNames.forall(read(id)) =>
        id -> rows.withColumns(read(id).toSet).columns
    }
  }

  /** The columns of `inline` that are not read. If none of a call's columns is read, its last one
    * is kept.
    */
  def unreadInlined: Set[ExprId] = {
    val all = inlined.flatten
    inlined.flatMap { columns =>
      val unread = columns.filterNot(whole)
      if (unread.length < columns.length) unread else columns.init
    }.toSet -- all.diff(all.distinct)
  }

  private def findColumns(node: LogicalPlan): Unit = node match {
    case project: Project =>
      project.projectList.foreach {
        case alias @ Alias(rows: FromMessage, _) => add(alias.exprId, rows)
        case _                                   =>
      }
    case generate: Generate =>
      generate.generator match {
        case explode: ExplodeBase   => findElement(explode.child, generate.generatorOutput.last)
        case Inline(_: FromMessage) =>
          inlined += generate.generatorOutput.map(_.exprId)
        case _ =>
      }
    case _ =>
  }

  private def findElement(rows: Expression, element: Attribute): Unit = rows match {
    case call: FromMessage => add(element.exprId, call)
    case array: Attribute  => elements(element.exprId) = array.exprId
    case _                 =>
  }

  private def add(id: ExprId, rows: FromMessage): Unit = {
    // A plan may contain the same subplan twice.
    if (calls.contains(id)) whole += id
    calls(id) = rows
  }

  private def findUses(node: LogicalPlan): Unit = node match {
    case generate: Generate =>
      generate.generator match {
        case explode: ExplodeBase if explode.child.isInstanceOf[Attribute] =>
        case generator                                                     => find(generator)
      }
    case _: Project | _: Filter | _: Sort | _: Aggregate | _: Join | _: Window | _: GlobalLimit |
        _: LocalLimit | _: SubqueryAlias | _: Repartition | _: RepartitionByExpression |
        _: Sample =>
      node.expressions.foreach(find)
    case _ =>
      // The operator may read all columns of its children.
      node.children.foreach(_.output.foreach(readWhole))
      node.expressions.foreach(find)
  }

  private def find(expression: Expression): Unit = expression match {
    case GetStructField(column: Attribute, ordinal, _) if isKnown(column) =>
      column.dataType match {
        case columns: StructType => read(column, columns(ordinal).name)
        case _                   => readWhole(column)
      }
    case GetArrayStructFields(column: Attribute, field, _, _, _) if isKnown(column) =>
      read(column, field.name)
    case Size(column: Attribute, _) if isKnown(column)            =>
    case IsNotNull(column: Attribute) if isNeverMalformed(column) =>
    case IsNull(column: Attribute) if isNeverMalformed(column)    =>
    case subquery: SubqueryExpression                             =>
      subquery.references.foreach(readWhole)
    case column: Attribute => readWhole(column)
    case other             => other.children.foreach(find)
  }

  private def isKnown(column: Attribute): Boolean =
    calls.contains(column.exprId) || elements.contains(column.exprId)

  /** Whether the column is null only if the message is null, never because the message is
    * malformed.
    */
  private def isNeverMalformed(column: Attribute): Boolean =
    calls.get(column.exprId).exists(!_.message.isPermissive)

  private def read(column: Attribute, field: String): Unit =
    fields.getOrElseUpdate(column.exprId, mutable.Set.empty) += field

  private def readWhole(column: Attribute): Unit = whole += column.exprId
}
