package org.jellyspark.sql.logs

import java.time.Instant
import java.time.temporal.ChronoUnit.MICROS

import org.jellyspark.log.LogView

/** The names of versions in SQL. */
private[logs] object Versions {
  private val Number = "-?[0-9]{1,18}".r

  /** Returns the position of a version: the id of a patch, or a position, which may be negative.
    *
    * @throws org.jellyspark.LogException
    *   if the log has no such patch
    */
  def positionOf(view: LogView, version: String): Long =
    if (Number.matches(version)) view.position(version.toLong) else view.position(version)

  /** Returns the position of the last patch that was appended at or before a time.
    *
    * @param time
    *   in microseconds since 1970
    * @throws org.jellyspark.LogException
    *   if it has expired
    */
  def positionAt(view: LogView, time: Long): Long =
    view.positionAt(Instant.EPOCH.plus(time, MICROS))
}
