package org.jellyspark.sql.logs

import org.apache.spark.sql.SQLContext
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.Source
import org.apache.spark.sql.sources.StreamSourceProvider
import org.apache.spark.sql.types.StructType

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
    val folder = new LogFolder(options(Path), session.sessionState.newHadoopConf())
    new LogChangesSource(session, folder, options(From).toLong, options.get(Until).map(_.toLong))
  }
}

private[logs] object LogChangesProvider {

  /** The options: the folder of the log, the position of the first patch, and the position after
    * the last one, if the stream has an end.
    */
  val Path: String = "path"
  val From: String = "from"
  val Until: String = "until"
}
