package org.jellyspark.sql.logs.commits;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;

/**
 * The rows of a plan.
 *
 * <p>In Java, because the method of Spark is private to its packages in Scala only.
 */
final class PlannedRows {
  private PlannedRows() {}

  static Dataset<Row> of(SparkSession session, LogicalPlan plan) {
    return Dataset.ofRows(session, plan);
  }
}
