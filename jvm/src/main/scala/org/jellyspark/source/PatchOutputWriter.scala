package org.jellyspark.source

import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.TaskAttemptContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.OutputWriter
import org.apache.spark.sql.types.StructType
import org.jellyspark.codec.{PatchOptions, PatchWriter}

/** Writes the rows of one task (and partition value) as one patch file. */
private[source] final class PatchOutputWriter(
    override val path: String,
    schema: StructType,
    options: PatchOptions,
    compression: Compression,
    context: TaskAttemptContext
) extends OutputWriter {
  private[this] val out =
    Compression.create(new Path(path), context.getConfiguration, compression)
  private[this] val writer = new PatchWriter(out, options)
  private[this] val columns = new PatchRowColumns(schema)
  private[this] var failed = false

  override def write(row: InternalRow): Unit = {
    failed = true
    writer.write(columns.read(row), columns.patch, columns.seq)
    failed = false
  }

  /** Called when all went well, and also after a failure: then nothing more is written. */
  override def close(): Unit =
    try if (!failed) writer.finish()
    finally out.close()
}
