package org.jellyspark.log.entries

import java.io.BufferedInputStream
import java.security.DigestInputStream
import java.time.Instant

import org.apache.hadoop.fs.Path

import org.jellyspark.core.formats.RowReader
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.NTriples
import org.jellyspark.log.files.{LogFiles, PatchNames, Sha256}

/** Reads the file of a patch, to learn what the index will say about it. */
private[log] final class PatchScan(files: LogFiles) {
  import PatchScan._

  private[this] lazy val format = PatchNames.appended.reader(Map.empty)

  /** Returns the entry of the patch at a position; none if its file does not hold one patch with an
    * id.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the file is malformed
    * @throws java.io.FileNotFoundException
    *   if it does not exist
    */
  def read(position: Long): Option[LogEntry] =
    read(new Path(files.path(PatchNames.of(position))), position)

  /** Returns the entry that the patch in a file has at a position; none if the file does not hold
    * one patch with an id.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the file is malformed
    * @throws java.io.FileNotFoundException
    *   if it does not exist
    */
  def read(source: Path, position: Long): Option[LogEntry] =
    opened(source) { (in, time, size) =>
      val summary = new Summary(format.open(new BufferedInputStream(in), source.toString))
      val sha256 = Sha256.ofAll(in)
      summary.id.map { id =>
        LogEntry(
          position,
          id,
          summary.prev,
          time,
          PatchNames.of(position),
          0,
          size,
          sha256,
          summary.isCommitted,
          summary.hasStatements,
          summary.hasPrefixes,
          canonical = false,
          subjects = summary.subjects,
          message = summary.message
        )
      }
    }

  /** Returns the entry that a committed, canonical patch in a file has at a position. The file is
    * not decoded, so the subjects are not known.
    */
  def describe(source: Path, position: Long, patch: NewPatch): LogEntry =
    opened(source) { (in, time, size) =>
      LogEntry(
        position,
        patch.id,
        patch.prev,
        time,
        PatchNames.of(position),
        0,
        size,
        Sha256.ofAll(in),
        committed = true,
        patch.statements,
        patch.prefixes,
        canonical = true,
        subjects = None,
        message = patch.message.filter(LogEntry.isKept)
      )
    }

  /** Whether the patch in a file has a statement or a prefix. */
  def isChanging(source: Path): Boolean =
    opened(source) { (in, _, _) =>
      val rows = format.open(new BufferedInputStream(in), source.toString)
      Iterator.continually(rows).takeWhile(_.next()).exists(each => Changes(each.row.op))
    }

  private def opened[T](source: Path)(read: (DigestInputStream, Instant, Long) => T): T = {
    val (time, size) = files.modified(source)
    val in = Sha256.stream(files.open(source))
    try read(in, time, size)
    finally in.close()
  }
}

private object PatchScan {
  private val Changes: Set[RowOp] =
    Set(RowOp.Add, RowOp.Delete, RowOp.PrefixAdd, RowOp.PrefixDelete)

  /** What the rows of a file with one patch say about it. */
  private final class Summary(rows: RowReader) {
    var hasStatements = false
    var hasPrefixes = false
    private[this] var headers = Map[String, String]()
    // All subjects, or more than a filter may have.
    private[this] var found = Set[String]()
    private[this] var isOpen = false
    private[this] var isLeft = false
    private[this] var patches = 0L

    while (rows.next()) add(rows.row)

    /** The header `id`; none if there is not exactly one patch. */
    def id: Option[String] = headers.get("id").filter(_ => patches == 1)

    /** The filter of the subjects. */
    def subjects: Option[SubjectFilter] = SubjectFilter.of(found)

    def prev: Option[String] = headers.get("prev")

    /** The header `message`, unless it is long. */
    def message: Option[String] = headers.get("message").filter(LogEntry.isKept)

    /** Whether no transaction is aborted or open. */
    def isCommitted: Boolean = !isLeft && !isOpen

    private def add(row: Row): Unit = {
      patches = row.patch + 1
      row.op match {
        case RowOp.Add | RowOp.Delete =>
          hasStatements = true
          if (found.size <= SubjectFilter.MostSubjects) found += NTriples.format(row.subject)
        case RowOp.PrefixAdd | RowOp.PrefixDelete => hasPrefixes = true
        case RowOp.Header => headers += (row.name -> NTriples.format(row.value))
        case op           =>
          // Anything but a TC leaves an open transaction uncommitted.
          isLeft |= isOpen && op != RowOp.TransactionCommit
          isOpen = op == RowOp.TransactionStart
      }
    }
  }
}
