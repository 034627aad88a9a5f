package org.jellyspark.source

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.hadoop.mapreduce.{Job, TaskAttemptContext}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.datasources.{
  FileFormat,
  OutputWriter,
  OutputWriterFactory,
  PartitionedFile
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.{DataSourceRegister, Filter}
import org.apache.spark.sql.types.{DataType, StructType}
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.SerializableConfiguration

import org.jellyspark.core.formats.{Engine, FileHints, FilePart, RowFormat, WriterFactory}
import org.jellyspark.core.rows.Column
import org.jellyspark.source.files._

/** A Spark data source for the files of a format.
  *
  * Spark instantiates data sources by class, so each format has its own subclass in
  * `DataSources.scala`.
  *
  * @param name
  *   the short name of the format
  * @param load
  *   the format; evaluated only if the jar supports the running version of Spark
  */
abstract class FileSource(name: String, load: => RowFormat)
    extends FileFormat
    with DataSourceRegister
    with Serializable {

  override def shortName(): String = name

  /** The format of the files.
    *
    * @throws org.jellyspark.JellySparkException
    *   if the running version of Spark is older than the jar supports
    */
  final def format: RowFormat = {
    SparkVersion.check()
    load
  }

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

  /** The overload that Spark 3 calls, with the `Seq` of Scala 2.12. Spark 4 never calls it. */
  def inferSchema(
      spark: SparkSession,
      options: Map[String, String],
      files: scala.collection.Seq[FileStatus]
  ): Option[StructType] = {
    SparkVersion.check()
    inferSchema(spark, options, files.toSeq)
  }

  /** Whether a column of the format can have the type. Spark asks this when it creates a table or
    * plans a query, before it passes the names of the columns.
    */
  override def supportDataType(dataType: DataType): Boolean = {
    SparkVersion.check()
    RowSchema.canHold(dataType)
  }

  override def isSplitable(
      spark: SparkSession,
      options: Map[String, String],
      path: Path
  ): Boolean = {
    val format = formatWith(options)
    canSplit(format, path) && (!format.skipsToParts || spark.sparkContext.defaultParallelism > 1)
  }

  private def canSplit(format: RowFormat, path: Path): Boolean =
    format.canSplit && Compression.of(path) == Compression.Uncompressed

  /** The format with the engine that the options choose. */
  private def formatWith(options: Map[String, String]): RowFormat = Engine.choose(format, options)

  override def supportBatch(spark: SparkSession, schema: StructType): Boolean = true

  override def vectorTypes(
      requiredSchema: StructType,
      partitionSchema: StructType,
      conf: SQLConf
  ): Option[Seq[String]] = Some(new BatchSchema(requiredSchema, partitionSchema).vectorTypes)

  /** Returns a function that reads a split: in batches if Spark asks for them, otherwise in rows.
    * They have the columns of `requiredSchema` and then those of `partitionSchema`.
    */
  override def buildReaderWithPartitionValues(
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
    val malformed = MalformedRowHandler(format, parsed, spark)
    val schema = new BatchSchema(requiredSchema, partitionSchema, malformed.corruptColumn)
    val filter = PushedFilters.toRowFilter(filters, dataSchema)
    val chosen = formatWith(options)
    val reader = chosen.batchReader(options, schema.request(format, options, filter))
    val metrics = ReadMetrics(format, spark)
    val context =
      spark.sparkContext.broadcast(new ReadContext(new SerializableConfiguration(hadoopConf)))
    val inBatches = options.get(FileFormat.OPTION_RETURNING_BATCH).contains(true.toString)
    // Of arrays, because a call of `++` on Seq would keep Spark 3.5, which has Scala 2.12, from loading
    // this class: see `DataSourcesSuite`.
    val rowSchema = StructType(requiredSchema.fields ++ partitionSchema.fields)

    def read(file: PartitionedFile): Iterator[ColumnarBatch] = {
      val part = partOf(chosen, file)
      if (part.isEmpty) Iterator.empty
      else {
        val unchanged = new UnchangedFile(file, context.value.conf)
        unchanged.check()
        new BatchIterator(
          () => reader.open(new HadoopInputFile(file, context.value), part),
          headOf(file, options, context.value),
          schema.toSpark(_, file.partitionValues),
          metrics,
          malformed,
          () => unchanged.checkAtEnd()
        )
      }
    }
    (file: PartitionedFile) =>
      if (inBatches) {
        // Spark casts the elements of this iterator back to batches.
        new UserErrorIterator(read(file)).asInstanceOf[Iterator[InternalRow]]
      } else {
        val toUnsafe = UnsafeProjection.create(rowSchema)
        new UserErrorIterator(read(file).flatMap(_.rowIterator().asScala).map(toUnsafe))
      }
  }

  private def headOf(
      file: PartitionedFile,
      options: Map[String, String],
      context: ReadContext
  ): FileHead =
    new FileHead(
      format.kindOf(file.urlEncodedPath, options),
      () => new HadoopInputFile(file, context).open(0, FileHints.HeadSize.toLong)
    )

  /** The part of a file to read for its split. A compressed file is a single split, of which Spark
    * knows only the compressed length.
    */
  private def partOf(format: RowFormat, file: PartitionedFile): FilePart =
    if (!canSplit(format, file.toPath)) FilePart.Whole
    else {
      val split = FilePart(file.start, file.start + file.length)
      // All splits must use the same length: the length at planning, if Spark passes it.
      if (file.fileSize > 0) format.partOf(split, file.fileSize) else split
    }

  override def prepareWrite(
      spark: SparkSession,
      job: Job,
      options: Map[String, String],
      dataSchema: StructType
  ): OutputWriterFactory = {
    SourceOptions.checkNames(format, options)
    val schema = schemaOf(options, corruptColumn = null)
    schema.checkWritten(dataSchema)
    schema.checkComplete(dataSchema)
    new RowOutputWriterFactory(
      format.extension,
      formatWith(options).writer(options),
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
