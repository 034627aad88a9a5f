package org.jellyspark.sql.logs

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.StructType

import org.jellyspark.log.{LogView, Snapshot}
import org.jellyspark.log.entries.PatchFile
import org.jellyspark.source.{DataSources, FileSource}

/** The rows of the patches of a log, as the file sources read them. */
private[logs] object LogRows {
  import LogFileIndex.{First, Last, Position}

  /** The columns of the rows of patches, and `log_seq`, the position of the patch in the log. */
  val schema: StructType = {
    val source = sourceOf("jelly_patch")
    schemaOf(source).add("log_seq", "bigint", nullable = false)
  }

  /** Returns the rows of the patches from one position until before another. */
  def apply(session: SparkSession, view: LogView, from: Long, until: Long): DataFrame = {
    val runs = for {
      file <- view.files(from, until)
      run <- runsOf(file)
    } yield Kind(file.format, run.first == 0 && run.last == 0, file.isPack) -> run
    val frames = runs
      .groupMap(_._1)(_._2)
      .toSeq
      .sortBy(_._2.head.position)
      .map { case (kind, found) =>
        val frame = read(session, sourceOf(kind.format), found)
        val rows =
          if (kind.isFirst) frame.where("patch = 0").withColumn("log_seq", col(Position))
          else {
            // The literals are compared with the index of the file, so ranges of it are skipped.
            frame
              .where(s"patch BETWEEN ${found.map(_.first).min} AND ${found.map(_.last).max}")
              .where(s"patch BETWEEN $First AND $Last")
              .withColumn("log_seq", col(Position) + col("patch") - col(First))
          }
        if (kind.isPack) rows.where("op <> 'END'") else rows
      }
      .map(_.select(schema.fieldNames.toIndexedSeq.map(col): _*))
    frames.reduceOption(_.unionByName(_)).getOrElse(Frames.empty(session, schema))
  }

  /** Returns the statements of a snapshot. */
  def statements(session: SparkSession, snapshot: Snapshot): DataFrame = {
    val paths = snapshot.files.map(new Path(_))
    val conf = session.sessionState.newHadoopConf()
    val sizes = paths
      .map(_.getParent)
      .distinct
      .flatMap(folder => folder.getFileSystem(conf).listStatus(folder))
      .map(status => status.getPath.getName -> status.getLen)
      .toMap
    val runs = paths.map(path => FileRun(path.toString, sizes(path.getName), 0, 0, 0, None))
    read(session, sourceOf("jelly_rdf"), runs).select(StatementChanges.Statement.map(col): _*)
  }

  /** What the files have in common that are read together.
    *
    * @param isFirst
    *   whether of each file the first patch is read
    * @param isPack
    *   whether the files are packs, in which `END` rows only separate the patches
    */
  private final case class Kind(format: String, isFirst: Boolean, isPack: Boolean)

  private def read(session: SparkSession, source: FileSource, runs: Seq[FileRun]): DataFrame = {
    val index = LogFileIndex(runs)
    session.baseRelationToDataFrame(
      HadoopFsRelation(index, index.partitionSchema, schemaOf(source), None, source, Map.empty)(
        session
      )
    )
  }

  /** Returns the runs of consecutive patches in a file. */
  private def runsOf(file: PatchFile): Seq[FileRun] =
    file.patches.foldLeft(List.empty[FileRun]) {
      case (run :: runs, (patch, position)) if follows(run, patch, position) =>
        run.copy(last = patch) :: runs
      case (runs, (patch, position)) =>
        FileRun(file.path, file.size, position, patch, patch, file.subjects) :: runs
    }

  private def follows(run: FileRun, patch: Long, position: Long): Boolean =
    patch == run.last + 1 && position - patch == run.position - run.first

  private def schemaOf(source: FileSource): StructType =
    source.inferSchema(SparkSession.active, Map.empty[String, String], Nil).get

  private def sourceOf(format: String): FileSource =
    DataSources.all.find(_.shortName() == format).get
}
