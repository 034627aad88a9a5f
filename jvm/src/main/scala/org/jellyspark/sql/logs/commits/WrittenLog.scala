package org.jellyspark.sql.logs.commits

import java.util.UUID

import org.apache.spark.sql.classic.SparkSession

import org.jellyspark.log.LogFolder

/** A log that is written as a table.
  *
  * @param catalog
  *   the name of its catalog
  * @param name
  *   the name of the table, for messages
  */
private[commits] final case class WrittenLog(catalog: String, name: String, folder: LogFolder) {

  /** Returns a commit with headers from the options of a write and the settings of a session.
    *
    * @param id
    *   the id of the patch
    * @throws org.jellyspark.OptionException
    *   if an option is unknown, or a value is not a term
    */
  def commits(
      session: SparkSession,
      options: Map[String, String],
      id: String = s"<urn:uuid:${UUID.randomUUID()}>"
  ): LogCommits = {
    val prefix = s"spark.sql.catalog.$catalog."
    val settings = session.conf.getAll.collect {
      case (key, value) if key.startsWith(prefix) => key.drop(prefix.length) -> value
    }
    new LogCommits(session, name, folder, CommitHeaders.of(options, settings), id)
  }
}
