package org.jellyspark.sql.messages

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult.{TypeCheckFailure, TypeCheckSuccess}
import org.apache.spark.sql.catalyst.expressions.{Expression, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.JellySparkException

/** Encodes an array of structs as a message (`to_jelly_patch` and the like).
  *
  * @param child
  *   the rows, with the columns that the data source writes
  */
private[sql] final case class ToMessage(child: Expression, message: MessageFormat)
    extends UnaryExpression {
  @transient private[this] lazy val encoder = new MessageEncoder(message, columns)

  override def prettyName: String = message.function

  override def toString: String = s"$prettyName($child)"

  override def dataType: DataType = MessageFormat.typeOf(message.format)

  override def checkInputDataTypes(): TypeCheckResult = child.dataType match {
    case ArrayType(_: StructType, _) =>
      try {
        message.check(columns)
        TypeCheckSuccess
      } catch { case e: JellySparkException => TypeCheckFailure(e.getMessage) }
    case ArrayType(NullType, _) => TypeCheckSuccess
    case _                      => MessageFormat.checkArgument(child, ArrayType(message.schema))
  }

  private def columns: StructType = child.dataType match {
    case ArrayType(columns: StructType, _) => message.withTypes(columns)
    case _                                 => new StructType // NULL, array() or array(NULL)
  }

  override protected def nullSafeEval(input: Any): Any = {
    val bytes = encoder.encode(input.asInstanceOf[ArrayData])
    if (dataType == BinaryType) bytes else UTF8String.fromBytes(bytes)
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val reference = ctx.addReferenceObj("encoder", encoder)
    defineCodeGen(
      ctx,
      ev,
      rows =>
        if (dataType == BinaryType) s"$reference.encode($rows)"
        else s"UTF8String.fromBytes($reference.encode($rows))"
    )
  }

  override protected def withNewChildInternal(newChild: Expression): ToMessage =
    copy(child = newChild)
}
