package org.jellyspark.sql.digests

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, FalseLiteral}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.types.{BooleanType, DataType}
import org.apache.spark.unsafe.types.UTF8String

/** Whether a statement may be in one state more often than in another (`jelly_may_differ`).
  *
  * @param children
  *   the marks, the key and the four terms
  */
private[digests] final case class MayDiffer(children: Seq[Expression]) extends Expression {
  override def prettyName: String = MayDiffer.Name

  override def nullable: Boolean = false

  override def dataType: DataType = BooleanType

  private def key = children(1).eval().asInstanceOf[Array[Byte]]

  @transient private lazy val hash = new StatementHash(key)

  override def eval(input: InternalRow): Any = {
    val values = children.map(_.eval(input))
    def term(i: Int) = values(i).asInstanceOf[UTF8String]
    val marks = values.head.asInstanceOf[Array[Byte]]
    Digest.mayDiffer(marks, hash, term(2), term(3), term(4), term(5))
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val key = ctx.addReferenceObj("key", this.key, "byte[]")
    val className = classOf[StatementHash].getName
    val hash = ctx.addMutableState(className, "hash", name => s"$name = new $className($key);")
    val codes = (children.head +: children.drop(2)).map(_.genCode(ctx))
    val values = codes.map(DigestMarks.valueOf)
    val arguments = (values.head +: hash +: values.tail).mkString(", ")
    ev.copy(
      code = code"""
        ${codes.map(_.code).reduce(_ + _)}
        boolean ${ev.value} = ${classOf[Digest].getName}.mayDiffer($arguments);""",
      isNull = FalseLiteral
    )
  }

  override protected def withNewChildrenInternal(children: IndexedSeq[Expression]): MayDiffer =
    copy(children = children)
}

private[digests] object MayDiffer {

  /** The name of the function in SQL. */
  val Name = "jelly_may_differ"
}
