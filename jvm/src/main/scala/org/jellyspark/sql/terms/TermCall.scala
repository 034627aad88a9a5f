package org.jellyspark.sql.terms

import org.apache.spark.sql.catalyst.expressions.objects.Invoke
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  ImplicitCastInputTypes,
  Literal,
  RuntimeReplaceable
}
import org.apache.spark.sql.types.{DataType, StringType}

/** A call of a function on terms. The result is null if an argument is null.
  *
  * The optimizer replaces it with a call of [[TermFunction.call]], for which Spark has code
  * generation and constant folding. Until then, this class provides the name for columns and
  * messages, and the casts of the arguments.
  */
private[sql] final case class TermCall(function: TermFunction, children: Seq[Expression])
    extends RuntimeReplaceable
    with ImplicitCastInputTypes {

  override def prettyName: String = function.name

  /** The types of the function's arguments. A string may have any collation, so its type is that of
    * the argument.
    */
  override def inputTypes: Seq[DataType] = function.inputTypes.zip(children).map {
    case (StringType, child) if child.resolved && child.dataType.isInstanceOf[StringType] =>
      child.dataType
    case (inputType, _) => inputType
  }

  override lazy val replacement: Expression = Invoke(
    Literal.fromObject(function),
    "call",
    function.resultType,
    children,
    returnNullable = function.isNullable
  )

  override def toString: String = children.mkString(s"$prettyName(", ", ", ")")

  override protected def withNewChildrenInternal(children: IndexedSeq[Expression]): TermCall =
    copy(children = children)
}
