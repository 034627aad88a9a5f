package org.jellyspark.sql.logs

import org.apache.spark.sql.connector.catalog.Table

import org.jellyspark.log.LogView

/** The tables of a log. */
private[jellyspark] object LogTables {

  /** The statements of a version, see [[Versions]]. */
  def at(name: String, view: LogView, version: String): Table =
    state(name, view, Versions.positionOf(view, version))

  /** The statements of the version at a time, in microseconds since 1970. */
  def at(name: String, view: LogView, time: Long): Table =
    state(name, view, Versions.positionAt(view, time))

  /** The versions. */
  def versions(name: String, view: LogView): Table =
    new LogTable(name, LogQueries.VersionsSchema, new LogQueries(_, view).versions)

  private def state(name: String, view: LogView, position: Long): Table =
    new LogTable(name, LogQueries.StateSchema, new LogQueries(_, view).state(position))
}
