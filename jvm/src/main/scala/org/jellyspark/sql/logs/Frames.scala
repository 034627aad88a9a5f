package org.jellyspark.sql.logs

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.Row
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.types.StructType

/** DataFrames of rows on the driver. */
private[logs] object Frames {
  def of(session: SparkSession, schema: StructType, rows: Seq[Row]): DataFrame =
    session.createDataFrame(rows.asJava, schema)

  def empty(session: SparkSession, schema: StructType): DataFrame = of(session, schema, Nil)
}
