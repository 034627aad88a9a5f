package org.jellyspark.sql.logs

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SQLContext
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.Source
import org.apache.spark.sql.sources.StreamSourceProvider
import org.apache.spark.sql.types.StructType

import org.jellyspark.LogException
import org.jellyspark.log.LogFolder

/** Creates the streams of changes of logs. Spark instantiates it by its class name. */
private[logs] final class LogChangesProvider extends StreamSourceProvider {
  import LogChangesProvider._

  override def sourceSchema(
      context: SQLContext,
      schema: Option[StructType],
      provider: String,
      options: Map[String, String]
  ): (String, StructType) = (provider, LogQueries.ChangesSchema)

  override def createSource(
      context: SQLContext,
      metadata: String,
      schema: Option[StructType],
      provider: String,
      options: Map[String, String]
  ): Source = {
    val session = context.sparkSession.asInstanceOf[SparkSession]
    val conf = session.sessionState.newHadoopConf()
    val from = firstOf(new Path(metadata, First), conf) {
      options.getOrElse(From, throw new LogException(options(Expired)))
    }
    val until = options.get(Until).map(_.toLong)
    new LogChangesSource(session, new LogFolder(options(Folder), conf), from.toLong, until)
  }

  /** Returns the position at which a stream begins, which its checkpoint keeps. A version such as
    * -1 is another patch when the stream is started again.
    */
  private def firstOf(file: Path, conf: Configuration)(position: => String): String = {
    val system = file.getFileSystem(conf)
    if (system.exists(file))
      Using.resource(system.open(file))(in => new String(in.readAllBytes(), UTF_8))
    else {
      val found = position
      val part = file.suffix(".part")
      Using.resource(system.create(part))(_.write(found.getBytes(UTF_8)))
      system.rename(part, file)
      found
    }
  }
}

private[logs] object LogChangesProvider {

  /** The options: the folder of the log; the position of the first patch, or the error if it has
    * expired; and the position after the last patch, if the stream has an end.
    */
  val Folder: String = "path"
  val From: String = "from"
  val Expired: String = "expired"
  val Until: String = "until"

  /** The name of the file in the checkpoint with the position of the first patch. */
  private val First = "first"
}
