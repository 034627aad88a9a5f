package org.jellyspark.log.index

import java.io.FileNotFoundException

import org.jellyspark.LogException
import org.jellyspark.log.entries.{LogEntry, PatchScan}
import org.jellyspark.log.files.{LogFiles, PatchNames}

/** Puts the index of a log together if it is lost or damaged: from what is left of it, and from the
  * files of the patches that it lacks, if these are few. Nothing is written.
  */
private[log] final class LostIndex(files: LogFiles) {
  import LostIndex._

  private[this] val all = Settings.all(files)
  private[this] val settings = all.last
  private[this] val adoptedEnd = all.head.begin + all.head.adopted

  // Later files are newer.
  private[this] val known: Map[Long, LogEntry] = {
    val segments =
      files.list(IndexFiles.Segments).keys.toSeq.sorted.map(name => s"${IndexFiles.Segments}/$name")
    val names = settings.packs.map(_.entriesFile) ++ segments :+ IndexFiles.Tail
    names.flatMap(IndexFiles.read(files, _)).flatMap(_.entries).map(e => e.position -> e).toMap
  }

  /** Returns all patches.
    *
    * @throws org.jellyspark.LogException
    *   if patches are missing, do not follow each other, or are too many to read
    */
  def block(): Block = {
    val begin = settings.begin
    val numbers = files.list("").keySet.flatMap(PatchNames.position(_))
    val least = math.max(begin, adoptedEnd)
    def packed = settings.packs.iterator.flatMap { pack =>
      Iterator.iterate(math.max(least, pack.first))(_ + 1).takeWhile(_ < pack.end)
    }
    // Before any are kept: settings can name more patches than there are.
    packed
      .find(each => !known.contains(each) && !numbers(each))
      .foreach(each => throw missing(each))
    val appended = (numbers.filter(_ >= least) ++ packed).toSeq.sorted
    val positions = (begin until adoptedEnd) ++ appended
    val unknown = positions.filterNot(known.contains)
    if (unknown.headOption.exists(_ < adoptedEnd) || unknown.size > Most) throw lost(unknown.size)
    val scan = new PatchScan(files)
    val entries = positions.zipWithIndex.foldLeft(Vector[LogEntry]()) {
      case (before, (position, index)) =>
        val prev = before.lastOption.map(_.id).orElse(settings.prev)
        if (position != begin + index) throw missing(begin + index)
        before :+ entry(position, prev, scan)
    }
    Block(settings.generation, begin, begin, settings.prev, settings.chain, entries)
  }

  private def entry(position: Long, prev: Option[String], scan: PatchScan): LogEntry = {
    // The first patch of a log may follow one that is not in it.
    def fits(entry: LogEntry) = entry.prev == prev || position < math.max(adoptedEnd, 1)
    def scanned =
      try scan.read(position)
      catch { case _: FileNotFoundException => throw missing(position) }
    known.get(position).filter(fits).orElse(scanned.filter(fits)).getOrElse {
      val name = PatchNames.of(position)
      throw new LogException(
        s"$name is not the patch after ${prev.orNull}: restore it from a backup"
      )
    }
  }

  private def missing(position: Long): LogException =
    new LogException(s"${PatchNames.of(position)} is missing: restore it from a backup")

  private def lost(count: Int): LogException = new LogException(
    s"the index of ${files.path("")} is lost or damaged, and $count patches must be read to build " +
      "it again: call Log.head() in Python, or run `jelly-spark log head`, once"
  )
}

private object LostIndex {

  /** How many patches are read at most. An index that has lost only its tail lacks about a hundred.
    */
  private final val Most = 1000
}
