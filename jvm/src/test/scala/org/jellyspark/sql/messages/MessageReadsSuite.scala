package org.jellyspark.sql.messages

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{BinaryType, StructType}
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.formats.jellypatch.JellyPatch

class MessageReadsSuite extends AnyFunSuite {
  private val format = MessageFormat("from_jelly_patch", JellyPatch, null)
  private val all: StructType = format.schema
  // The columns that `inline` makes of a message.
  private val columns: Seq[Attribute] =
    all.map(field => AttributeReference(field.name, field.dataType)())

  private def call(name: String): FromMessage =
    FromMessage(AttributeReference(name, BinaryType)(), format, all)

  /** A query of one column of a message. */
  private def query(call: FromMessage, column: String): LogicalPlan = Project(
    columns.filter(_.name == column),
    Generate(Inline(call), Nil, outer = false, None, columns, LocalRelation(call.references.toSeq))
  )

  test("what is read of the columns of `inline`") {
    val message = call("v")
    val reads = new MessageReads(query(message, "op"))
    assert(reads.pruned(message, all).fieldNames.toSeq == Seq("op"))
  }

  test("all columns are read of two messages that are in the same columns of `inline`") {
    val (one, other) = (call("v"), call("w"))
    val queries = Seq(query(one, "op"), query(other, "name"))
    val reads = new MessageReads(Union(queries))
    assert(Seq(one, other).map(reads.pruned(_, all)) == Seq(all, all))
  }
}
