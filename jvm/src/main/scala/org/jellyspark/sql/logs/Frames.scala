package org.jellyspark.sql.logs

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.types.StructType

/** DataFrames of rows on the driver. */
private[logs] object Frames {
  def of(session: SparkSession, schema: StructType, rows: Seq[Row]): DataFrame =
    session.createDataFrame(rows.asJava, schema)

  /** Whether the driver has the rows of a DataFrame, so that reading them needs no job. */
  def isOnDriver(frame: DataFrame): Boolean =
    frame.queryExecution.optimizedPlan.isInstanceOf[LocalRelation]

  def empty(session: SparkSession, schema: StructType): DataFrame = of(session, schema, Nil)
}
