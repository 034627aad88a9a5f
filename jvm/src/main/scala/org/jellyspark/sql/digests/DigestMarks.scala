package org.jellyspark.sql.digests

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate
import org.apache.spark.sql.types.{BinaryType, DataType}

/** The marks of the digest of a group of statements (`jelly_digest_marks`).
  *
  * Spark generates code for it, because it is made of expressions. They change the digest in place,
  * so each task needs its own: [[NewDigest]] makes it, where a literal would be shared.
  *
  * @param children
  *   the key, the logarithm of the number of places in the table, the four terms of a statement,
  *   and how often it counts
  */
private[digests] final case class DigestMarks(children: Seq[Expression])
    extends DeclarativeAggregate {
  private lazy val digest = AttributeReference("digest", BinaryType, nullable = false)()

  override def prettyName: String = DigestExpressions.MarksName

  override def nullable: Boolean = false

  override def dataType: DataType = BinaryType

  override lazy val aggBufferAttributes: Seq[AttributeReference] = Seq(digest)

  override lazy val initialValues: Seq[Expression] =
    Seq(NewDigest(children(1).eval().asInstanceOf[Int]))

  override lazy val updateExpressions: Seq[Expression] =
    Seq(AddStatement(Seq(digest, children.head) ++ children.drop(2)))

  override lazy val mergeExpressions: Seq[Expression] = Seq(AddDigest(digest.left, digest.right))

  override lazy val evaluateExpression: Expression = MarksOf(digest)

  override protected def withNewChildrenInternal(children: IndexedSeq[Expression]): DigestMarks =
    copy(children = children)
}
