package org.jellyspark.sql.logs;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;

/**
 * The rows of a query as a batch of a stream.
 *
 * <p>In Java, because the method of Spark is private to its packages in Scala only.
 */
final class StreamedRows {
  private StreamedRows() {}

  /** Returns the rows of a query. What Spark computes from them is part of the stream. */
  static Dataset<Row> of(SparkSession session, Dataset<Row> rows) {
    return session.internalCreateDataFrame(rows.queryExecution().toRdd(), rows.schema(), true);
  }
}
