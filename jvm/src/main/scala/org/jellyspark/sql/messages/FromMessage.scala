package org.jellyspark.sql.messages

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult
import org.apache.spark.sql.catalyst.expressions.{Expression, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** Decodes a message to an array of structs (`from_jelly_patch` and the like).
  *
  * @param child
  *   the message: binary or, in a text format, possibly a string
  * @param columns
  *   the columns of the structs; [[PruneMessageColumns]] removes those that a query does not read
  */
private[sql] final case class FromMessage(
    child: Expression,
    message: MessageFormat,
    columns: StructType
) extends UnaryExpression {
  @transient private[this] lazy val decoder = new MessageDecoder(message, columns)

  override def prettyName: String = message.function

  override def toString: String = {
    val pruned =
      if (columns == message.schema) "" else columns.fieldNames.mkString(" AS [", ", ", "]")
    s"$prettyName($child)$pruned"
  }

  override def dataType: DataType = ArrayType(columns, containsNull = false)

  /** Always true. Otherwise Spark would not evaluate `IS NULL`, which must find malformed messages.
    */
  override def nullable: Boolean = true

  override def checkInputDataTypes(): TypeCheckResult =
    MessageFormat.checkArgument(child, MessageFormat.typeOf(message.format))

  /** Evaluates to a copy of the rows, because Spark folds constants with this method, and the
    * result must be serializable.
    */
  override protected def nullSafeEval(input: Any): Any = {
    val rows = decoder.decode(input match {
      case text: UTF8String => text.getBytes
      case bytes            => bytes.asInstanceOf[Array[Byte]]
    })
    if (rows == null) null else rows.copy()
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val reference = ctx.addReferenceObj("decoder", decoder)
    nullSafeCodeGen(
      ctx,
      ev,
      input => {
        val bytes = if (child.dataType == BinaryType) input else s"$input.getBytes()"
        val checked = if (message.isPermissive) s"${ev.isNull} = ${ev.value} == null;" else ""
        s"${ev.value} = $reference.decode($bytes); $checked"
      }
    )
  }

  override protected def withNewChildInternal(newChild: Expression): FromMessage =
    copy(child = newChild)
}
