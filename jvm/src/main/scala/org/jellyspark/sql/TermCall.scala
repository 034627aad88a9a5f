package org.jellyspark.sql

import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  ImplicitCastInputTypes,
  RuntimeReplaceable
}
import org.apache.spark.sql.types.{DataType, StringType}

/** What Spark needs to know of a function of [[TermColumns]].
  *
  * @param name
  *   its name in SQL
  * @param method
  *   the name of the method, of which there is one for each number of arguments
  * @param inputTypes
  *   the types of its arguments, as many as it can have
  * @param resultType
  *   the type of its result
  * @param isNullable
  *   whether it may return null for arguments of which none is null
  */
private[sql] final case class TermFunction(
    name: String,
    method: String,
    inputTypes: Seq[DataType],
    resultType: DataType,
    isNullable: Boolean
)

/** A call of a function of terms. Null if an argument is null.
  *
  * The optimizer replaces it by a call of the method, for which Spark has code generation and
  * constant folding. Until then, this class gives it its name, in columns and messages, and its
  * casts.
  */
private[sql] final case class TermCall(function: TermFunction, children: Seq[Expression])
    extends RuntimeReplaceable
    with ImplicitCastInputTypes {

  override def prettyName: String = function.name

  /** The types of the function, but for strings that of the argument: any collation will do. */
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
