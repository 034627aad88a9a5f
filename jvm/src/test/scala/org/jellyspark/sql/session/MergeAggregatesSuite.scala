package org.jellyspark.sql.session

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.functions._
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.sql.LocalSession

final class MergeAggregatesSuite
    extends AnyFunSuite
    with LocalSession
    with AdaptiveSparkPlanHelper {

  private lazy val rows = spark
    .range(1000)
    .selectExpr(
      "struct(cast(id % 7 as string) AS text, id % 3 AS number) AS key",
      "id % 11 AS small",
      "cast(id AS decimal(38)) AS big",
      "if(id % 5 = 0, null, id) AS part"
    )

  private val aggregates = Seq(
    "count(*)",
    "count(part)",
    "sum(part)",
    "avg(small)",
    "max(big)",
    "min(small)",
    "bit_or(small)",
    "bool_or(part IS NULL)",
    "first(small) IS NULL",
    "sum(part) FILTER (WHERE small > 4)"
  ).map(expr)

  private def grouped(rows: DataFrame): DataFrame =
    rows.groupBy("key").agg(aggregates.head, aggregates.tail: _*)

  private def together: DataFrame = grouped(rows.repartition(3, col("key")))

  private def aggregations(query: DataFrame): Int = {
    query.collect()
    collect(query.queryExecution.executedPlan) { case plan: BaseAggregateExec => plan }.length
  }

  private def sorted(query: DataFrame): Seq[Row] = query.collect().toSeq.sortBy(_.toString)

  private def withSetting[A](key: String, value: String)(test: => A): A = {
    spark.conf.set(key, value)
    try test
    finally spark.conf.unset(key)
  }

  test("rows that are together already are aggregated once, with the same result") {
    assert(aggregations(together) == 1)
    assert(sorted(together) == sorted(grouped(rows)))
  }

  test("aggregations with a shuffle between them are left alone") {
    assert(aggregations(grouped(rows.repartition(3))) == 2)
  }

  test("the result is the same when the hash map spills, with and without generated code") {
    val expected = sorted(grouped(rows))
    withSetting("spark.sql.TungstenAggregate.testFallbackStartsAt", "2, 3") {
      assert(sorted(together) == expected)
      withSetting("spark.sql.codegen.wholeStage", "false") {
        assert(aggregations(together) == 1)
        assert(sorted(together) == expected)
      }
    }
  }

  test("distinct aggregates have the same result") {
    def query(rows: DataFrame): DataFrame =
      rows.groupBy("key").agg(countDistinct("small"), sum("part"), sum_distinct(col("small")))
    val expected = sorted(query(rows))
    assert(sorted(query(rows.repartition(3, col("key")))) == expected)
    assert(sorted(query(rows.repartition(3, col("key"), col("small")))) == expected)
  }

  test("groups without aggregates, and aggregates without groups") {
    val one = rows.repartition(1)
    assert(one.repartition(2, col("key")).select("key").distinct().count() == 21)
    assert(one.agg(sum("part"), count("*")).head() == rows.agg(sum("part"), count("*")).head())
    assert(one.where("small > 100").agg(count("*")).head() == Row(0L))
    assert(one.where("small > 100").groupBy("key").agg(count("*")).count() == 0)
  }
}
