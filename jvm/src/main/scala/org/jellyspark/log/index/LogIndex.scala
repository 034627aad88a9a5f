package org.jellyspark.log.index

import java.io.FileNotFoundException

import scala.annotation.tailrec
import scala.collection.mutable

import org.jellyspark.LogException
import org.jellyspark.log.entries.{LogEntry, PatchScan}
import org.jellyspark.log.files.{LogFiles, PatchNames}

/** The index of a managed log: segments that never change, and a tail. The Python package describes
  * it in `log/index/log_index.py`. It only reads files: see [[IndexWriter]].
  *
  * The tail may be older than the log: the files of newer patches have known names. If the index is
  * lost or damaged, and few patches are missing in what is left of it, these are read instead.
  *
  * It can be used from several threads.
  *
  * @param files
  *   the files of the log
  * @param current
  *   the entries after the last segment
  */
private[log] final class LogIndex private (files: LogFiles, private[this] var current: Block) {
  import IndexFiles.Positions
  import LogIndex.expired

  // Segments that were read, by the positions that they cover.
  private[this] val segments = mutable.HashMap[Positions, Segment]()
  // The last settings that were read.
  private[this] var known: Option[Settings] = None

  /** The entries after the last segment. */
  def tail: Block = synchronized(current)

  private def tail_=(block: Block): Unit = synchronized { current = block }

  /** The position of the first patch. */
  def begin: Long = synchronized(tail.begin)

  /** The number of the settings that are known. */
  def generation: Long = synchronized(tail.generation)

  /** The position after the last patch. */
  def next: Long = synchronized(tail.next)

  /** The id of the last patch, or of the one before the first. */
  def head: Option[String] = synchronized(tail.head)

  /** The packs of the log, in order. */
  def packs: IndexedSeq[Pack] = synchronized {
    // The first settings of a log have none.
    if (tail.generation == 0) Vector.empty
    else {
      val settings = known.filter(_.generation == tail.generation).getOrElse {
        Settings.read(files, tail.generation)
      }
      known = Some(settings)
      settings.packs
    }
  }

  /** Returns an index of the same patches, which can be changed independently. */
  def copy(): LogIndex = synchronized {
    val other = new LogIndex(files, tail)
    other.takeFrom(segments, known)
    other
  }

  private def takeFrom(
      segments: collection.Map[Positions, Segment],
      known: Option[Settings]
  ): Unit = synchronized {
    this.segments ++= segments
    this.known = known
  }

  /** Finds the patches that were appended since the last look.
    *
    * @throws org.jellyspark.LogException
    *   if a file with the name of the next patch does not follow the last one
    * @throws org.jellyspark.MalformedInputException
    *   if it is malformed
    */
  def look(): Unit = synchronized {
    lookAtSettings()
    if (files.has(PatchNames.of(tail.next))) {
      readTail()
      val scan = new PatchScan(files)
      while (files.has(PatchNames.of(tail.next))) {
        try add(scan.read(tail.next).filter(_.prev == tail.head).getOrElse(throw taken()))
        catch {
          // It has expired meanwhile.
          case _: FileNotFoundException => lookAtSettings()
        }
      }
    }
  }

  /** Adds the entry of the next patch to the tail. */
  def add(entry: LogEntry): Unit = synchronized {
    tail = tail.copy(entries = tail.entries :+ entry)
  }

  /** Leaves the entries before a position out of the tail, as they are in segments. */
  def moveTail(first: Long): Unit = synchronized {
    tail = tail.from(first)
  }

  private def taken(): LogException = new LogException(
    s"${PatchNames.of(tail.next)} is the name of the patch after ${tail.head.orNull}, but it is " +
      "not a patch of the log: rename it"
  )

  /** Finds where the log begins now, and which packs it has. */
  def lookAtSettings(): Unit = synchronized {
    val newer = Settings.after(files, tail.generation)
    newer.lastOption.foreach { last =>
      tail = tail.copy(generation = last.generation, begin = last.begin)
      known = Some(last)
    }
    val least =
      newer.flatMap(each => each.begin +: each.packs.map(_.end)).foldLeft(tail.begin)(math.max)
    // The tail is so old that the files of the patches after it may be gone.
    if (tail.next < least) readTail()
    if (tail.next < least) rebuild()
  }

  /** Reads the tail again; returns whether it has more than is known, or has been moved. */
  private def readTail(): Boolean =
    IndexFiles
      .tail(files)
      .filter(found => found.next > tail.next || found.first > tail.first) match {
      case None        => false
      case Some(found) =>
        // It may have been written before the last patches that are known.
        val longer = if (found.next > tail.next) found else tail.from(found.first)
        val newest = if (found.generation >= tail.generation) found else tail
        tail = longer.copy(generation = newest.generation, begin = newest.begin)
        true
    }

  /** Returns the block with the entry of a position.
    *
    * @throws org.jellyspark.LogException
    *   if its patch has expired
    */
  @tailrec
  def block(position: Long): Block = {
    val found = synchronized {
      part(position) match {
        case Left(segment) =>
          val found = segment.block(position)
          if (found.isEmpty) rebuild()
          found
        case Right(tail) => Some(tail)
      }
    }
    if (found.isDefined) found.get else block(position)
  }

  /** Returns a block that has the patch at a position, or begins with the one after it. */
  def blockAfter(position: Long): Block = synchronized {
    if (tail.next <= tail.begin) tail else block(math.min(position + 1, tail.next - 1))
  }

  /** Returns the position of the last patch with an id from `from` to before `until`. */
  def find(id: String, from: Long, until: Long): Option[Long] = synchronized {
    @tailrec
    def search(end: Long): Option[Long] =
      if (end <= from) None
      else {
        val (found, first) = part(end - 1) match {
          case Left(segment) => (segment.find(id, end), segment.first)
          case Right(block)  => (block.find(id, end), block.first)
        }
        if (found.isDefined) found.filter(_ >= from) else search(first)
      }
    search(until)
  }

  /** Returns the segment with the entry of a position, or the tail.
    *
    * @throws org.jellyspark.LogException
    *   if its patch has expired
    */
  @tailrec
  private def part(position: Long): Either[Segment, Block] =
    if (position < tail.begin) throw expired(position, tail.begin)
    else if (position >= tail.next)
      throw new LogException(s"the patch at position $position is gone: restore it from a backup")
    else if (position >= tail.first) Right(tail)
    else {
      val positions = IndexFiles.segments(position, tail.first).nextOption()
      positions.flatMap(each => segments.get(each).orElse(readSegment(each))) match {
        case Some(segment) => Left(segment)
        case None          =>
          refresh()
          part(position)
      }
    }

  /** Finds segments that are missing where they are now, or puts the index together again.
    *
    * @throws org.jellyspark.LogException
    *   as [[LostIndex.block]]
    */
  def refresh(): Unit = synchronized {
    // They have been merged with others since the tail was read, unless they are lost.
    if (!readTail()) rebuild()
  }

  private def readSegment(positions: Positions): Option[Segment] = {
    val name = IndexFiles.segment(positions)
    val found = files.read(name).flatMap(Segment.load(_, files.path(name))).filter { segment =>
      segment.first >= positions.start && segment.first <= math.max(positions.start, tail.begin) &&
      segment.next == positions.end
    }
    found.foreach(segments(positions) = _)
    found
  }

  /** Puts the index together from what is left of it, and from the patches that it lacks.
    *
    * @throws org.jellyspark.LogException
    *   if patches are missing, do not follow each other, or are too many to read
    */
  private def rebuild(): Unit = {
    tail = new LostIndex(files).block()
    segments.clear()
  }
}

private[log] object LogIndex {

  /** Whether a folder is a managed log. */
  def isManaged(files: LogFiles): Boolean =
    files.has(IndexFiles.Tail) || files.has(Settings.file(0))

  /** Returns the index of a managed log.
    *
    * @param path
    *   the path or URL of the folder, for messages
    * @throws org.jellyspark.LogException
    *   if it is not a managed log, is of a newer version, or is broken
    */
  def open(files: LogFiles, path: String): LogIndex =
    IndexFiles
      .tail(files)
      .orElse(Option.when(files.has(Settings.file(0)))(new LostIndex(files).block()))
      .map(new LogIndex(files, _))
      .getOrElse {
        throw new LogException(
          s"$path is not a managed log: call Log.adopt, or `jelly-spark log adopt`, once"
        )
      }

  /** Returns the error for a patch that has expired. */
  def expired(position: Long, begin: Long): LogException = new LogException(
    s"position $position has expired: the log begins at position $begin"
  )
}
