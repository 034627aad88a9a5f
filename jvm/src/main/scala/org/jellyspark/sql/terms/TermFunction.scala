package org.jellyspark.sql.terms

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.terms.NTriples.SyntaxException
import org.jellyspark.source.TermStruct
import org.jellyspark.sql.InvalidArgumentException

/** A function on terms, without its documentation. Spark's generated code calls it for each row
  * without nulls.
  *
  * @param name
  *   the name in SQL
  * @param inputTypes
  *   the types of the arguments, for the largest number of arguments
  * @param resultType
  *   the type of the result
  * @param isNullable
  *   whether the result may be null even if no argument is null
  * @param returnsNull
  *   whether the function returns null instead of failing
  * @param computed
  *   computes the result, for each number of arguments
  */
private[sql] final class TermFunction(
    val name: String,
    val inputTypes: Seq[DataType],
    val resultType: DataType,
    val isNullable: Boolean,
    returnsNull: Boolean,
    computed: Computed
) extends Serializable {

  def call(first: AnyRef): AnyRef =
    try computed.ofOne(first)
    catch { case e: SyntaxException => fail(e, first) }

  def call(first: AnyRef, second: AnyRef): AnyRef =
    try computed.ofTwo(first, second)
    catch { case e: SyntaxException => fail(e, first, second) }

  def call(first: AnyRef, second: AnyRef, third: AnyRef): AnyRef =
    try computed.ofThree(first, second, third)
    catch { case e: SyntaxException => fail(e, first, second, third) }

  private def fail(e: SyntaxException, arguments: AnyRef*): Null =
    if (returnsNull) null
    else {
      val shown = arguments.map(show).mkString(", ")
      val cut = if (shown.length <= MaxShown) shown else shown.take(MaxShown) + "…"
      throw new InvalidArgumentException(name, cut, e.getMessage)
    }

  private def show(argument: AnyRef): String = argument match {
    case struct: InternalRow => TermStruct.show(struct)
    case string              => s"'$string'"
  }

  // Long enough to recognize a term, in characters.
  private def MaxShown: Int = 200

  override def toString: String = name
}

/** Computes the result of a function on terms, or throws a `SyntaxException`. There is a method for
  * each number of arguments; it is null if the function does not have that number.
  */
private[terms] final class Computed private (
    val ofOne: AnyRef => AnyRef,
    val ofTwo: (AnyRef, AnyRef) => AnyRef,
    val ofThree: (AnyRef, AnyRef, AnyRef) => AnyRef
) extends Serializable {

  /** The numbers of arguments that are allowed. */
  def counts: Seq[Int] = Seq[AnyRef](ofOne, ofTwo, ofThree).zipWithIndex.collect {
    case (method, i) if method != null => i + 1
  }
}

private[terms] object Computed {
  private type Text = UTF8String

  def apply[A](one: A => AnyRef): Computed =
    new Computed(one.asInstanceOf[AnyRef => AnyRef], null, null)

  def apply(two: (Text, Text) => AnyRef, three: (Text, Text, Text) => AnyRef): Computed =
    new Computed(null, untyped(two), untyped(three))

  def apply(
      one: Text => AnyRef,
      two: (Text, Text) => AnyRef,
      three: (Text, Text, Text) => AnyRef
  ): Computed = new Computed(one.asInstanceOf[AnyRef => AnyRef], untyped(two), untyped(three))

  def apply(three: (Text, Text, Text) => AnyRef): Computed =
    new Computed(null, null, untyped(three))

  private def untyped(three: (Text, Text, Text) => AnyRef): (AnyRef, AnyRef, AnyRef) => AnyRef =
    three.asInstanceOf[(AnyRef, AnyRef, AnyRef) => AnyRef]

  private def untyped(two: (Text, Text) => AnyRef): (AnyRef, AnyRef) => AnyRef =
    two.asInstanceOf[(AnyRef, AnyRef) => AnyRef]
}
