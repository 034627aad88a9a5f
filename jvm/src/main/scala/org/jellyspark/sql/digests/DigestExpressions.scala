package org.jellyspark.sql.digests

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BinaryExpression,
  Expression,
  LeafExpression,
  UnaryExpression
}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, ExprValue}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral
import org.apache.spark.sql.types.{BinaryType, BooleanType, DataType}
import org.apache.spark.unsafe.types.UTF8String

/** A new digest of the empty state each time. */
private[digests] final case class NewDigest(logarithm: Int) extends LeafExpression {
  override def nullable: Boolean = false

  override def dataType: DataType = BinaryType

  override def eval(input: InternalRow): Any = Digests.empty(logarithm)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = ev.copy(
    code = code"byte[] ${ev.value} = ${DigestExpressions.Digests}.empty($logarithm);",
    isNull = FalseLiteral
  )
}

/** Adds a digest to another one, in place. */
private[digests] final case class AddDigest(left: Expression, right: Expression)
    extends BinaryExpression {
  override def dataType: DataType = BinaryType

  override protected def nullSafeEval(left: Any, right: Any): Any =
    Digests.add(left.asInstanceOf[Array[Byte]], right.asInstanceOf[Array[Byte]])

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    defineCodeGen(ctx, ev, (left, right) => s"${DigestExpressions.Digests}.add($left, $right)")

  override protected def withNewChildrenInternal(left: Expression, right: Expression): AddDigest =
    copy(left, right)
}

/** The marks of the places where a digest is not zero. */
private[digests] final case class MarksOf(child: Expression) extends UnaryExpression {
  override def dataType: DataType = BinaryType

  override protected def nullSafeEval(digest: Any): Any =
    Digests.marks(digest.asInstanceOf[Array[Byte]])

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    defineCodeGen(ctx, ev, digest => s"${DigestExpressions.Digests}.marks($digest)")

  override protected def withNewChildInternal(child: Expression): MarksOf = copy(child)
}

/** Adds a statement to a digest, in place.
  *
  * @param children
  *   the digest, the key, the four terms and the weight
  */
private[digests] final case class AddStatement(children: Seq[Expression]) extends OfStatement {
  override def dataType: DataType = BinaryType

  override protected def call(hash: String, inputs: Seq[String]): String =
    s"add(${inputs.head}, $hash, ${inputs.last})"

  /** Nothing: the value is the digest that the call changes. To store another reference for each row
    * would cost a barrier of the collector.
    */
  override protected def assignment(ev: ExprCode): String = ""

  override protected def valueOf(ev: ExprCode, first: ExprCode): ExprValue = first.value

  override protected def eval(hash: StatementHash, inputs: Seq[Any]): Any =
    Digests.add(inputs.head.asInstanceOf[Array[Byte]], hash, inputs.last.asInstanceOf[Long])

  override protected def withNewChildrenInternal(children: IndexedSeq[Expression]): AddStatement =
    copy(children = children)
}

/** Whether a statement may be in one state more often than in another (`jelly_may_differ`).
  *
  * @param children
  *   the marks, the key and the four terms
  */
private[digests] final case class MayDiffer(children: Seq[Expression]) extends OfStatement {
  override def prettyName: String = DigestExpressions.TestName

  override def dataType: DataType = BooleanType

  override protected def call(hash: String, inputs: Seq[String]): String =
    s"mayDiffer(${inputs.head}, $hash)"

  override protected def assignment(ev: ExprCode): String = s"boolean ${ev.value} ="

  override protected def valueOf(ev: ExprCode, first: ExprCode): ExprValue = ev.value

  override protected def eval(hash: StatementHash, inputs: Seq[Any]): Any =
    Digests.mayDiffer(inputs.head.asInstanceOf[Array[Byte]], hash)

  override protected def withNewChildrenInternal(children: IndexedSeq[Expression]): MayDiffer =
    copy(children = children)
}

/** An expression of a digest or marks, the key, the four terms of a statement, and possibly more.
  * The generated code of a task has one [[StatementHash]].
  */
private[digests] sealed trait OfStatement extends Expression {

  /** The call of a method of [[Digests]], in generated code. */
  protected def call(hash: String, inputs: Seq[String]): String

  /** What the generated code does with the result of the call. */
  protected def assignment(ev: ExprCode): String

  /** The value of the expression after the call. */
  protected def valueOf(ev: ExprCode, first: ExprCode): ExprValue

  protected def eval(hash: StatementHash, inputs: Seq[Any]): Any

  override def nullable: Boolean = false

  override def eval(input: InternalRow): Any = {
    val inputs = children.map(_.eval(input))
    val hash = new StatementHash(inputs(1).asInstanceOf[Array[Byte]])
    def term(i: Int) = inputs(i).asInstanceOf[UTF8String]
    hash.read(term(2), term(3), term(4), term(5))
    eval(hash, inputs)
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val key = ctx.addReferenceObj("key", children(1).eval(), "byte[]")
    val className = classOf[StatementHash].getName
    val hash = ctx.addMutableState(className, "hash", name => s"$name = new $className($key);")
    val codes = children.map(_.genCode(ctx))
    val inputs = codes.map { code =>
      if (code.isNull == FalseLiteral) code.value.toString
      else s"(${code.isNull} ? null : ${code.value})"
    }
    ev.copy(
      code = code"""
        ${codes.map(_.code).reduce(_ + _)}
        $hash.read(${inputs.slice(2, 6).mkString(", ")});
        ${assignment(ev)} ${DigestExpressions.Digests}.${call(hash, inputs)};""",
      isNull = FalseLiteral,
      value = valueOf(ev, codes.head)
    )
  }
}

private[digests] object DigestExpressions {

  /** The names of the functions in SQL. */
  val MarksName = "jelly_digest_marks"
  val TestName = "jelly_may_differ"

  /** The name of the class with the methods, which generated code calls. */
  val Digests: String = "org.jellyspark.sql.digests.Digests"
}
