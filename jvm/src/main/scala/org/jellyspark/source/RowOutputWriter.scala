package org.jellyspark.source

import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.TaskAttemptContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.OutputWriter

import org.jellyspark.core.formats.WriterFactory
import org.jellyspark.source.files.Compression

/** Writes one file: the rows of a task, or those with one of its partition values. */
private[source] final class RowOutputWriter(
    override val path: String,
    factory: WriterFactory,
    rows: SparkRowBuilder,
    compression: Compression,
    context: TaskAttemptContext
) extends OutputWriter {
  private[this] val out =
    Compression.create(new Path(path), context.getConfiguration, compression)
  private[this] val writer =
    try factory.open(out)
    catch {
      case e: Throwable =>
        out.close()
        throw e
    }
  private[this] var failed = false

  override def write(row: InternalRow): Unit = {
    failed = true
    writer.write(rows.read(row))
    failed = false
  }

  /** Closes the file. Spark also calls this after a failed write; then nothing more is written. */
  override def close(): Unit =
    try if (!failed) writer.finish()
    finally out.close()
}
