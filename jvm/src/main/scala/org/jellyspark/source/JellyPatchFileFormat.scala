package org.jellyspark.source

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileStatus
import org.apache.hadoop.mapreduce.{Job, TaskAttemptContext}
import org.apache.spark.TaskContext
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{
  FileFormat,
  OutputWriter,
  OutputWriterFactory,
  PartitionedFile
}
import org.apache.spark.sql.sources.{DataSourceRegister, Filter}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration
import org.jellyspark.JellySparkException
import org.jellyspark.codec.PatchOptions

/** Spark's data source `jelly_patch`: files of Jelly-Patch as rows of [[PatchColumns]]. */
final class JellyPatchFileFormat extends FileFormat with DataSourceRegister with Serializable {
  import JellyPatchFileFormat._

  override def shortName(): String = "jelly_patch"

  override def toString: String = "Jelly-Patch"

  override def equals(other: Any): Boolean = other.isInstanceOf[JellyPatchFileFormat]

  override def hashCode(): Int = getClass.hashCode

  /** The schema is the same for every file. */
  override def inferSchema(
      spark: SparkSession,
      options: Map[String, String],
      files: Seq[FileStatus]
  ): Option[StructType] = Some(PatchColumns.schema(PatchSourceOptions(options).terms))

  override protected def buildReader(
      spark: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration
  ): PartitionedFile => Iterator[InternalRow] = {
    PatchColumns.check(dataSchema)
    val parsed = PatchSourceOptions(options)
    val dropped =
      if (parsed.mode == ReadMode.FailFast) null
      else spark.sparkContext.longAccumulator(DroppedFiles)
    val conf = spark.sparkContext.broadcast(new SerializableConfiguration(hadoopConf))
    (file: PartitionedFile) => {
      val in = Compression.open(file.toPath, conf.value.value)
      Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => in.close()))
      new PatchRowIterator(in, file.urlEncodedPath, parsed.codec, requiredSchema, dropped)
    }
  }

  override def prepareWrite(
      spark: SparkSession,
      job: Job,
      options: Map[String, String],
      dataSchema: StructType
  ): OutputWriterFactory = {
    PatchColumns.check(dataSchema)
    if (!dataSchema.exists(field => PatchColumns.canonical(field.name) == PatchColumns.Op)) {
      throw new JellySparkException(s"a patch needs the column '${PatchColumns.Op}'")
    }
    new PatchOutputWriterFactory(PatchOptions(options), Compression(options))
  }
}

private object JellyPatchFileFormat {

  /** The accumulator that counts the files of which `mode=DROPMALFORMED` dropped a part. */
  val DroppedFiles = "jelly_patch: malformed files"
}

private final class PatchOutputWriterFactory(options: PatchOptions, compression: Compression)
    extends OutputWriterFactory {

  override def getFileExtension(context: TaskAttemptContext): String =
    ".jellyp" + compression.extension

  override def newInstance(
      path: String,
      dataSchema: StructType,
      context: TaskAttemptContext
  ): OutputWriter = new PatchOutputWriter(path, dataSchema, options, compression, context)
}
