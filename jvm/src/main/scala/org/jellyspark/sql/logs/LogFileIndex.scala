package org.jellyspark.sql.logs

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  And,
  AttributeReference,
  BoundReference,
  Expression,
  Predicate
}
import org.apache.spark.sql.execution.datasources.{
  FileIndex,
  FileStatusWithMetadata,
  PartitionDirectory
}
import org.apache.spark.sql.types.{LongType, StructField, StructType}

import org.jellyspark.log.entries.SubjectFilter

/** Consecutive patches of a log that are consecutive in a file too.
  *
  * @param path
  *   the path of the file
  * @param size
  *   the size of the file in bytes
  * @param position
  *   the position in the log of the first of the patches
  * @param first
  *   the 0-based ordinal in the file of the first of the patches
  * @param last
  *   that of the last one
  * @param subjects
  *   a filter of the subjects of the patch, if there is one; none if it is not known
  */
private[logs] final case class FileRun(
    path: String,
    size: Long,
    position: Long,
    first: Long,
    last: Long,
    subjects: Option[SubjectFilter]
)

/** The files of a log as Spark plans over them. The log knows their names and sizes, so nothing is
  * listed. Files are left out if the log knows that they do not have a wanted subject. The
  * partition columns are the numbers of a [[FileRun]].
  *
  * Equal indexes make equal plans, which Spark caches and reuses.
  */
private[logs] final case class LogFileIndex(runs: Seq[FileRun]) extends FileIndex {
  override val partitionSchema: StructType = LogFileIndex.Schema

  override def rootPaths: Seq[Path] = runs.map(run => new Path(run.path)).distinct

  override def inputFiles: Array[String] = rootPaths.map(_.toString).toArray

  override val sizeInBytes: Long = runs.map(_.size).sum

  /** Does nothing: the files of a log do not change. */
  override def refresh(): Unit = ()

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]
  ): Seq[PartitionDirectory] = {
    val filter = partitionFilters.reduceOption(And(_, _)).map { condition =>
      Predicate.createInterpreted(condition.transform { case column: AttributeReference =>
        BoundReference(partitionSchema.fieldIndex(column.name), LongType, nullable = false)
      })
    }
    val mayHave = WantedSubjects(dataFilters)
    runs
      .filter(_.subjects.forall(mayHave))
      .map(directoryOf)
      .filter(run => filter.forall(_.eval(run.values)))
  }

  /** A modification time of 0 is not compared with that of the file. */
  private def directoryOf(run: FileRun): PartitionDirectory = {
    val status = new FileStatus(run.size, false, 0, 0, 0, new Path(run.path))
    val values = InternalRow(run.position, run.first, run.last)
    PartitionDirectory(values, Seq(FileStatusWithMetadata(status, Map.empty)))
  }
}

private[logs] object LogFileIndex {

  /** The partition columns, in the order of the values. */
  val Position: String = "log_file_position"
  val First: String = "log_file_first"
  val Last: String = "log_file_last"

  private val Schema: StructType =
    StructType(Seq(Position, First, Last).map(StructField(_, LongType, nullable = false)))
}
