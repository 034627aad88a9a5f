package org.jellyspark.source

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.hadoop.mapreduce.{Job, TaskAttemptContext}
import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{
  FileFormat,
  OutputWriter,
  OutputWriterFactory,
  PartitionedFile
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.{DataSourceRegister, Filter}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.SerializableConfiguration

import org.jellyspark.core.formats.{
  BatchReaderFactory,
  BatchRequest,
  FilePart,
  RowFormat,
  WriterFactory
}
import org.jellyspark.core.rows.{Column, RowFilter}

/** A Spark data source for the files of a format.
  *
  * Spark instantiates data sources by class, so each format has its own subclass in
  * `DataSources.scala`.
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

  /** The schema depends on the format and the options, not on the files. */
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

  override def supportBatch(spark: SparkSession, schema: StructType): Boolean = givesBatches

  override def vectorTypes(
      requiredSchema: StructType,
      partitionSchema: StructType,
      conf: SQLConf
  ): Option[Seq[String]] =
    Option.when(givesBatches)(new BatchSchema(requiredSchema, partitionSchema).vectorTypes)

  private def givesBatches: Boolean =
    format
      .batchReader(Map.empty, BatchRequest(Set.empty, RowFilter.All, Utf8StringTermFactory))
      .isDefined

  override def buildReaderWithPartitionValues(
      spark: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration
  ): PartitionedFile => Iterator[InternalRow] =
    if (options.get(FileFormat.OPTION_RETURNING_BATCH).contains(true.toString)) {
      val malformed = checked(spark, dataSchema, options)
      val schema = new BatchSchema(requiredSchema, partitionSchema)
      val reader = batchReader(schema, dataSchema, filters, options).get
      val read = batches(reader, schema, malformed, broadcast(spark, hadoopConf))
      // Spark asked for batches, and casts them back.
      (file: PartitionedFile) => read(file).asInstanceOf[Iterator[InternalRow]]
    } else {
      super.buildReaderWithPartitionValues(
        spark,
        dataSchema,
        partitionSchema,
        requiredSchema,
        filters,
        options,
        hadoopConf
      )
    }

  override protected def buildReader(
      spark: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration
  ): PartitionedFile => Iterator[InternalRow] = {
    val malformed = checked(spark, dataSchema, options)
    val conf = broadcast(spark, hadoopConf)
    val schema = new BatchSchema(requiredSchema, new StructType)
    batchReader(schema, dataSchema, filters, options) match {
      case Some(reader) =>
        val read = batches(reader, schema, malformed, conf)
        (file: PartitionedFile) => read(file).flatMap(_.rowIterator().asScala)
      case None =>
        val reader = format.reader(options)
        (file: PartitionedFile) =>
          new UnchangedFile(file, conf.value.value).guard {
            val in = Compression.open(file.toPath, conf.value.value)
            Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => in.close()))
            val rows = reader.open(in, file.urlEncodedPath, partOf(file))
            new RowIterator(rows, in, requiredSchema, malformed)
          }
    }
  }

  private def batchReader(
      schema: BatchSchema,
      dataSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String]
  ): Option[BatchReaderFactory] =
    format.batchReader(options, schema.request(PushedFilters.toRowFilter(filters, dataSchema)))

  private def batches(
      reader: BatchReaderFactory,
      schema: BatchSchema,
      malformed: MalformedRowHandler,
      conf: Broadcast[SerializableConfiguration]
  ): PartitionedFile => Iterator[ColumnarBatch] = file =>
    new UnchangedFile(file, conf.value.value).guard(
      new BatchIterator(
        () => reader.open(new HadoopInputFile(file, conf.value.value), partOf(file)),
        schema.toSpark(_, file.partitionValues),
        malformed
      )
    )

  /** Checks the schema of a read, and returns what the read does with malformed input.
    *
    * @throws org.jellyspark.JellySparkException
    *   if the format cannot have the schema
    */
  private def checked(
      spark: SparkSession,
      dataSchema: StructType,
      options: Map[String, String]
  ): MalformedRowHandler = {
    val parsed = SourceOptions(format, options, spark)
    schemaOf(options, parsed.corruptColumn).check(dataSchema)
    MalformedRowHandler(format, parsed, spark)
  }

  private def broadcast(
      spark: SparkSession,
      conf: Configuration
  ): Broadcast[SerializableConfiguration] =
    spark.sparkContext.broadcast(new SerializableConfiguration(conf))

  /** The split of a file. A compressed file is one split: Spark knows only its compressed length.
    */
  private def partOf(file: PartitionedFile): FilePart =
    if (canSplit(file.toPath)) FilePart(file.start, file.start + file.length)
    else FilePart.Whole

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
