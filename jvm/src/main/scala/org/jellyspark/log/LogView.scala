package org.jellyspark.log

import java.time.Instant

/** A managed log as it was when it was looked at. It never changes. */
final class LogView private[log] () {

  /** The position of the first patch: 0 unless older ones have expired. */
  def begin: Long = ???

  /** The position after the last patch. */
  def next: Long = ???

  /** The id of the last patch, or of the one before the first. */
  def head: Option[String] = ???

  /** The id of the patch before the first one, which has expired. */
  def before: Option[String] = ???

  /** Returns the position of the patch with an id; `begin - 1` if that is the patch before the
    * first one.
    *
    * @throws org.jellyspark.LogException
    *   if the log has no such patch
    */
  def position(id: String): Long = ???

  /** Returns the position of a patch.
    *
    * @param number
    *   the position; a negative number counts from the end, as -1 for the last patch
    * @throws org.jellyspark.LogException
    *   if the log has no such patch
    */
  def position(number: Long): Long = ???

  /** Returns the position of the last patch that was appended at or before a time; -1 if the time
    * is before the first patch of all.
    *
    * @throws org.jellyspark.LogException
    *   if the patches up to that time have expired
    */
  def positionAt(time: Instant): Long = ???

  /** Returns what is known about the patches at the positions from `from` to before `until`.
    *
    * @throws org.jellyspark.LogException
    *   if one of them has expired
    */
  def entries(from: Long, until: Long): Iterator[LogEntry] = ???

  /** Returns the files that have the patches at the positions from `from` to before `until`, in the
    * order of the patches.
    *
    * @throws org.jellyspark.LogException
    *   if one of them has expired
    */
  def files(from: Long, until: Long): Seq[PatchFile] = ???

  /** Returns the last snapshot that can be used of the state after a patch, or after one before it.
    *
    * @param position
    *   the position of the patch; `begin - 1` for the state before the first one
    */
  def snapshot(position: Long): Option[Snapshot] = ???

  /** Returns the log as it is now. This takes few requests if little has changed. */
  def refreshed(): LogView = ???
}
