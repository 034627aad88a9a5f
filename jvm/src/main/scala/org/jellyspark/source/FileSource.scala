package org.jellyspark.source

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
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
import org.jellyspark.core.{Column, FilePart, RowFormat, WriterFactory}

/** A data source of Spark's for the files of a format. Spark makes it by its class, so each format
  * has one of its own.
  */
abstract class FileSource(val format: RowFormat)
    extends FileFormat
    with DataSourceRegister
    with Serializable {

  override def shortName(): String = format.shortName

  override def toString: String = format.title

  override def equals(other: Any): Boolean = other match {
    case source: FileSource => source.getClass == getClass
    case _                  => false
  }

  override def hashCode(): Int = getClass.hashCode

  /** The schema is the same for every file. */
  override def inferSchema(
      spark: SparkSession,
      options: Map[String, String],
      files: Seq[FileStatus]
  ): Option[StructType] = {
    val parsed = SourceOptions(format, options, spark)
    Some(schemaOf(options, parsed.corruptColumn).of(parsed))
  }

  override def isSplitable(
      spark: SparkSession,
      options: Map[String, String],
      path: Path
  ): Boolean = canSplit(path)

  private def canSplit(path: Path): Boolean =
    format.canSplit && Compression.of(path) == Compression.Uncompressed

  override protected def buildReader(
      spark: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration
  ): PartitionedFile => Iterator[InternalRow] = {
    val parsed = SourceOptions(format, options, spark)
    schemaOf(options, parsed.corruptColumn).check(dataSchema)
    val reader = format.reader(options)
    val malformed = MalformedRows(format, parsed, spark)
    val conf = spark.sparkContext.broadcast(new SerializableConfiguration(hadoopConf))
    (file: PartitionedFile) => {
      val in = Compression.open(file.toPath, conf.value.value)
      Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => in.close()))
      // Of a compressed file Spark knows another length than that of its content.
      val part =
        if (canSplit(file.toPath)) FilePart(file.start, file.start + file.length)
        else FilePart.Whole
      val rows = reader.open(in, file.urlEncodedPath, part)
      new RowIterator(rows, in, requiredSchema, malformed)
    }
  }

  override def prepareWrite(
      spark: SparkSession,
      job: Job,
      options: Map[String, String],
      dataSchema: StructType
  ): OutputWriterFactory = {
    val schema = schemaOf(options, corruptColumn = null)
    schema.check(dataSchema)
    schema.checkComplete(dataSchema)
    new RowOutputWriterFactory(
      format.extension,
      format.writer(options),
      format.columns(options),
      Compression(options)
    )
  }

  private def schemaOf(options: Map[String, String], corruptColumn: String): RowSchema =
    new RowSchema(format, format.columns(options), corruptColumn)
}

private final class RowOutputWriterFactory(
    extension: String,
    writer: WriterFactory,
    columns: Seq[Column],
    compression: Compression
) extends OutputWriterFactory {

  override def getFileExtension(context: TaskAttemptContext): String =
    extension + compression.extension

  override def newInstance(
      path: String,
      dataSchema: StructType,
      context: TaskAttemptContext
  ): OutputWriter =
    new RowOutputWriter(
      path,
      writer,
      new SparkRowBuilder(dataSchema, columns),
      compression,
      context
    )
}
