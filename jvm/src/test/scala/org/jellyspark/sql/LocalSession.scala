package org.jellyspark.sql

import org.apache.spark.sql.SparkSession
import org.scalatest.{BeforeAndAfterAll, Suite}

/** A small Spark session for the tests of a suite. */
trait LocalSession extends BeforeAndAfterAll { this: Suite =>
  lazy val spark: SparkSession = SparkSession
    .builder()
    .master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .getOrCreate()

  override protected def afterAll(): Unit =
    try spark.stop()
    finally super.afterAll()
}
