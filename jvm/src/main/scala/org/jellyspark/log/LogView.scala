package org.jellyspark.log

import java.time.Instant

import scala.collection.mutable

import org.jellyspark.LogException
import org.jellyspark.log.entries.{LogEntry, PatchFile}
import org.jellyspark.log.files.{LogFiles, PatchNames}
import org.jellyspark.log.index.{LogIndex, Pack}

/** A managed log as it was when it was looked at. It never changes. It reads the index when it is
  * needed, and can be used from several threads.
  */
final class LogView private[log] (files: LogFiles, index: LogIndex) {

  /** The position of the first patch: 0 unless older ones have expired. */
  val begin: Long = index.begin

  /** The position after the last patch. */
  val next: Long = index.next

  /** The id of the last patch; none if the log is empty. */
  val head: Option[String] = index.head.filter(_ => next > begin)

  private[this] val generation = index.generation

  /** The id of the patch before the first one; none if the log is empty or has all its patches. */
  lazy val before: Option[String] =
    entries(begin, math.min(begin + 1, next)).nextOption().flatMap(_.prev)

  /** Returns the position of the patch with an id; `begin - 1` if that is the patch before the
    * first one.
    *
    * @throws org.jellyspark.LogException
    *   if the log has no such patch
    */
  def position(id: String): Long = index
    .find(id, begin, next)
    .orElse(Option.when(before.contains(id))(begin - 1))
    .getOrElse {
      val gone = if (begin == 0) "" else s" (those before position $begin have expired)"
      throw new LogException(
        s"the log has no patch with the id $id$gone: a version is an id, such as <urn:uuid:1>, a " +
          "position, such as 0 or -1, or a time"
      )
    }

  /** Returns the position of a patch.
    *
    * @param number
    *   the position; a negative number counts from the end, as -1 for the last patch
    * @throws org.jellyspark.LogException
    *   if the log has no such patch
    */
  def position(number: Long): Long = {
    val found = if (number < 0) next + number else number
    if (has(found)) found else throw absent(number)
  }

  private def has(position: Long): Boolean = position >= begin && position < next

  private def absent(number: Long): LogException =
    if (number >= 0 && number < begin) LogIndex.expired(number, begin)
    else {
      val there = if (next == begin) "no patches" else s"positions $begin to ${next - 1}"
      new LogException(s"the log has no patch at position $number: it has $there")
    }

  /** Returns the position of the last patch that was appended at or before a time; `begin - 1` if
    * the time is before the first patch of a log that has all its patches.
    *
    * @throws org.jellyspark.LogException
    *   if the patches up to that time have expired
    */
  def positionAt(time: Instant): Long = {
    def search(end: Long): Option[Long] =
      if (end <= begin) None
      else {
        val block = index.block(end - 1)
        val until = (end - block.first).toInt
        val at = block.entries.lastIndexWhere(!_.time.isAfter(time), until - 1)
        if (at >= 0) Some(block.first + at).filter(_ >= begin) else search(block.first)
      }
    search(next).getOrElse {
      if (before.isDefined) {
        throw new LogException(
          s"the log begins after $time: older versions are not known any more"
        )
      }
      begin - 1
    }
  }

  /** Returns what is known about the patches at the positions from `from` to before `until`.
    *
    * @throws org.jellyspark.LogException
    *   if the log has no such patches
    */
  def entries(from: Long, until: Long): Iterator[LogEntry] =
    if (from >= until) Iterator.empty
    else {
      Seq(from, until - 1).filterNot(has).foreach(each => throw absent(each))
      Iterator
        .unfold(from) { at =>
          Option.when(at < until) {
            val block = index.block(at)
            (block.entries.slice((at - block.first).toInt, (until - block.first).toInt), block.next)
          }
        }
        .flatten
    }

  /** Returns the files that have the patches at the positions from `from` to before `until`, in the
    * order of the patches.
    *
    * @throws org.jellyspark.LogException
    *   if the log has no such patches
    */
  def files(from: Long, until: Long): Seq[PatchFile] = {
    val packs = index.packs
    val found = mutable.LinkedHashMap[String, PatchFile]()
    val patches = mutable.HashMap[String, mutable.Builder[(Long, Long), Vector[(Long, Long)]]]()
    entries(from, until).foreach { entry =>
      val pack = Pack.find(packs, entry.position)
      val (name, patch, size) = pack match {
        case Some(found) => (found.file, entry.position - found.first, found.size)
        case None        => (entry.file, entry.patch, entry.size)
      }
      found.getOrElseUpdate(
        name,
        PatchFile(
          name,
          files.path(name),
          PatchNames.format(name),
          Nil,
          size,
          pack.isDefined,
          entry.subjects
        )
      )
      patches.getOrElseUpdate(name, Vector.newBuilder) += (patch -> entry.position)
    }
    found.map { case (name, file) =>
      val all = patches(name).result()
      file.copy(patches = all, subjects = file.subjects.filter(_ => all.size == 1))
    }.toSeq
  }

  /** Returns the last snapshot that can be used of the state after a patch, or after one before it.
    *
    * @param position
    *   the position of the patch; `begin - 1` for the state before the first one
    * @return
    *   none if the state before the first patch is empty, and there is no snapshot after it
    * @throws org.jellyspark.LogException
    *   if there is none, and the log does not have all its patches
    */
  def snapshot(position: Long): Option[Snapshot] = {
    val found = new Snapshots(files, index).last(position)
    if (found.isEmpty) before.foreach { id =>
      val now = refreshed()
      if (position < now.begin - 1) throw LogIndex.expired(position, now.begin)
      throw new LogException(
        s"the log begins after $id, which is missing, and has no snapshot of it: restore the " +
          "folder _log/snapshots from a backup"
      )
    }
    found
  }

  /** Returns the log as it is now. This takes few requests if little has changed. */
  def refreshed(): LogView = {
    val newer = index.copy()
    newer.look()
    if (newer.next == next && newer.generation == generation) this else new LogView(files, newer)
  }
}
