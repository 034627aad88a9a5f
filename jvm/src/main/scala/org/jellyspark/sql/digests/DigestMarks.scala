package org.jellyspark.sql.digests

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate
import org.apache.spark.sql.catalyst.expressions.codegen.{ExprCode, FalseLiteral}
import org.apache.spark.sql.types.{BinaryType, DataType}
import org.apache.spark.unsafe.types.UTF8String

/** The marks of the digest of a group of statements (`jelly_digest_marks`).
  *
  * @param children
  *   the key, the logarithm of the number of places in the table, the four terms of a statement,
  *   and how often it counts
  */
private[digests] final case class DigestMarks(
    children: Seq[Expression],
    mutableAggBufferOffset: Int = 0,
    inputAggBufferOffset: Int = 0
) extends TypedImperativeAggregate[Digest] {
  override def prettyName: String = DigestMarks.Name

  override def nullable: Boolean = false

  override def dataType: DataType = BinaryType

  /** The key of the hashes. */
  def key: Array[Byte] = children.head.eval().asInstanceOf[Array[Byte]]

  /** The logarithm to the base two of the number of places. */
  def logarithm: Int = children(1).eval().asInstanceOf[Int]

  override def createAggregationBuffer(): Digest = new Digest(key, logarithm)

  override def update(digest: Digest, row: InternalRow): Digest = {
    def term(i: Int) = children(i).eval(row).asInstanceOf[UTF8String]
    digest.add(term(2), term(3), term(4), term(5), children(6).eval(row).asInstanceOf[Long])
    digest
  }

  override def merge(digest: Digest, other: Digest): Digest = {
    digest.add(other)
    digest
  }

  override def eval(digest: Digest): Any = digest.marks

  override def serialize(digest: Digest): Array[Byte] = digest.toBytes

  override def deserialize(bytes: Array[Byte]): Digest = Digest.of(key, logarithm, bytes)

  override def withNewMutableAggBufferOffset(offset: Int): DigestMarks =
    copy(mutableAggBufferOffset = offset)

  override def withNewInputAggBufferOffset(offset: Int): DigestMarks =
    copy(inputAggBufferOffset = offset)

  override protected def withNewChildrenInternal(children: IndexedSeq[Expression]): DigestMarks =
    copy(children = children)
}

private[digests] object DigestMarks {

  /** The name of the function in SQL. */
  val Name = "jelly_digest_marks"

  /** The value of a term in generated code, null included. */
  def valueOf(term: ExprCode): String =
    if (term.isNull == FalseLiteral) term.value.toString
    else s"(${term.isNull} ? null : ${term.value})"
}
