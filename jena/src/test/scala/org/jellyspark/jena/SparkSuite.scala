package org.jellyspark.jena

import java.nio.file.{Files, Path}
import java.util.Comparator

import org.apache.spark.sql.SparkSession
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** Tests with a Spark session, on two threads, and a folder of their own. */
abstract class SparkSuite extends AnyFunSuite with BeforeAndAfterAll {
  protected lazy val spark: SparkSession = SparkSession
    .builder()
    .master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "2")
    .getOrCreate()

  protected lazy val folder: Path = Files.createTempDirectory("jelly-spark-jena")

  override def afterAll(): Unit = {
    spark.stop()
    Files.walk(folder).sorted(Comparator.reverseOrder()).forEach(Files.delete(_))
  }
}
