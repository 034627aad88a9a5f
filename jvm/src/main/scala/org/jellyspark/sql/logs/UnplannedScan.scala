package org.jellyspark.sql.logs

import org.apache.spark.sql.connector.read.{Batch, Scan, ScanBuilder}
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream
import org.apache.spark.sql.types.StructType

import org.jellyspark.JellySparkException

/** The scan of a table that is never scanned, because a rule replaces it by a query. Without the
  * rule, reading the table is an error.
  */
private[logs] final class UnplannedScan(table: String, schema: StructType)
    extends ScanBuilder
    with Scan {
  override def build(): Scan = this

  override def readSchema(): StructType = schema

  override def toBatch: Batch = UnplannedScan.refuse("read", table)

  override def toMicroBatchStream(checkpoint: String): MicroBatchStream =
    UnplannedScan.refuse("read", table)
}

private[logs] object UnplannedScan {

  /** Throws the error of a session without the rules. */
  def refuse(verb: String, table: String): Nothing = throw new JellySparkException(
    s"cannot $verb $table: this session was created before the jar was added to it. Start Spark " +
      "with the jar, by --jars or spark.jars, or create another session with jelly_spark.configure"
  )
}
