package org.jellyspark.source

import org.apache.spark.sql.sources._
import org.apache.spark.sql.types.{LongType, StringType, StructType}
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.rows.{AllowedNumbers, AllowedValues, Column, RowFilter}

class PushedFiltersSuite extends AnyFunSuite {
  private val schema = new StructType()
    .add("OP", StringType)
    .add("subject", StringType)
    .add("Predicate", StringType)
    .add("object", TermColumnType.AsStruct.dataType)
    .add("graph", StringType)
    .add("name", StringType)

  private def check(filters: Filter*)(expected: (Column, AllowedValues)*): Unit =
    assert(PushedFilters.toRowFilter(filters, schema) == RowFilter(expected.toMap))

  private def texts(values: String*): AllowedValues =
    AllowedValues(nulls = false, Some(values.toSet))

  test("equality") {
    check(EqualTo("op", "A"))(Column.Op -> texts("A"))
    check(EqualTo("SUBJECT", "<a:>"))(Column.Subject -> texts("<a:>"))
    check(EqualNullSafe("graph", "<a:>"))(Column.Graph -> texts("<a:>"))
    check(EqualNullSafe("graph", null))(Column.Graph -> AllowedValues(nulls = true, Some(Set())))
    check(EqualTo("graph", null))(Column.Graph -> texts())
  }

  test("In, which null never matches") {
    check(In("predicate", Array("<a:>", null, "<b:>")))(Column.Predicate -> texts("<a:>", "<b:>"))
    check(In("predicate", Array(null)))(Column.Predicate -> texts())
  }

  test("null checks, also for structs") {
    check(IsNull("graph"))(Column.Graph -> AllowedValues(nulls = true, Some(Set())))
    check(IsNotNull("object"))(Column.Object -> AllowedValues(nulls = false, None))
    check(IsNull("object"))(Column.Object -> AllowedValues(nulls = true, Some(Set())))
  }

  test("conjunctions") {
    check(
      And(IsNotNull("op"), And(In("op", Array("A", "D")), EqualTo("graph", "<g:>"))),
      In("op", Array("D", "H"))
    )(Column.Op -> texts("D"), Column.Graph -> texts("<g:>"))
    check(IsNull("graph"), IsNotNull("graph"))(Column.Graph -> texts())
    check(And(Not(EqualTo("op", "A")), EqualTo("op", "D")))(Column.Op -> texts("D"))
  }

  test("numbers, of which the reader only skips ranges") {
    def numbers(filters: Filter*) = {
      val pushed =
        PushedFilters.toRowFilter(filters, schema.add("Seq", LongType).add("tx", LongType))
      assert(pushed.columns.isEmpty)
      pushed.numbers
    }
    def seq(min: Long, max: Long, values: Option[Set[Long]] = None) =
      Map[Column, AllowedNumbers](Column.Seq -> AllowedNumbers(min, max, values))
    assert(numbers(EqualTo("SEQ", 5L)) == seq(5, 5))
    assert(numbers(EqualNullSafe("seq", 5L), IsNotNull("tx")) == seq(5, 5))
    assert(numbers(GreaterThan("seq", 5L), LessThan("seq", 9L)) == seq(6, 8))
    assert(numbers(And(GreaterThanOrEqual("seq", 5L), LessThanOrEqual("seq", 9L))) == seq(5, 9))
    assert(numbers(In("seq", Array(7L, null, 3L))) == seq(3, 7, Some(Set(3, 7))))
    assert(numbers(GreaterThan("seq", Long.MaxValue), LessThan("seq", Long.MinValue)).isEmpty)
    assert(numbers(EqualTo("seq", null), In("seq", Array(null)), IsNull("tx")).isEmpty)
    assert(numbers(Or(EqualTo("seq", 5L), EqualTo("tx", 5L)), EqualTo("patch", 5L)).isEmpty)
  }

  test("conditions that are left to Spark") {
    check(
      Or(EqualTo("op", "A"), EqualTo("graph", "<g:>")),
      Not(IsNull("graph")),
      StringStartsWith("subject", "<a:"),
      GreaterThan("op", "A"),
      EqualTo("name", "id"),
      EqualTo("seq", 1L),
      EqualTo("subject", 1),
      In("subject", Array("<a:>", 1)),
      EqualTo("object", "<a:>"),
      EqualTo("object.kind", "iri"),
      EqualTo("day", "<a:>"),
      AlwaysFalse()
    )()
  }
}
