package org.jellyspark.sql.terms

import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  ImplicitCastInputTypes,
  RuntimeReplaceable
}
import org.apache.spark.sql.types.{DataType, StringType}

/** The description of a function in [[TermColumns]] that Spark needs.
  *
  * @param name
  *   the name in SQL
  * @param method
  *   the name of the method, which has one overload for each number of arguments
  * @param inputTypes
  *   the types of the arguments, for the largest number of arguments
  * @param resultType
  *   the type of the result
  * @param isNullable
  *   whether the result may be null even if no argument is null
  */
private[sql] final case class TermFunction(
    name: String,
    method: String,
    inputTypes: Seq[DataType],
    resultType: DataType,
    isNullable: Boolean
)

/** A call of a function on terms. The result is null if an argument is null.
  *
  * The optimizer replaces it with a call of the method, for which Spark has code generation and
  * constant folding. Until then, this class provides the name for columns and messages, and the
  * casts of the arguments.
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

  override lazy val replacement: Expression = StaticInvoke(
    TermColumns.getClass,
    function.resultType,
    function.method,
    children,
    returnNullable = function.isNullable
  )

  override def toString: String = children.mkString(s"$prettyName(", ", ", ")")

  override protected def withNewChildrenInternal(children: IndexedSeq[Expression]): TermCall =
    copy(children = children)
}
