package org.jellyspark.log

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.LogException
import org.jellyspark.log.files.{Json, LogFiles}

/** How far a stream has written a log before a batch: a small file beside the index. With the ids
  * of its patches, a batch that comes again is recognised, also after patches have expired.
  *
  * @param stream
  *   the id of the stream, which its checkpoint keeps; a valid name of a file
  */
final class StreamProgress private[log] (files: LogFiles, stream: String) {
  import StreamProgress._

  private[this] val name = s"$Folder/$stream$Suffix"

  private[this] lazy val last: Option[Mark] = files.read(name).map { bytes =>
    val found = Json.attempt {
      val node = Json.parse(bytes)
      Json.checkVersion(node, files.path(name))
      Json.checkFields(node, Set("version", "batch", "next", "done"))
      Mark(
        Json.number(node.path("batch")),
        Json.number(node.path("next")),
        node.path("done").booleanValue
      )
    }
    found.fold(
      reason =>
        throw new LogException(
          s"${files.path(name)} is damaged ($reason), so it is not known which batches of the " +
            "stream were written: start it with a new checkpoint"
        ),
      identity
    )
  }

  /** Returns the id of the patch of a batch. */
  def id(batch: Long): String = s"<urn:uuid:$stream#batch-$batch>"

  /** Whether the stream has begun no batch yet. */
  def isNew: Boolean = last.isEmpty

  /** Returns the other streams that have written the log, by their ids.
    *
    * @param view
    *   the log as it is now
    */
  def others(view: LogView): Seq[String] = files
    .list(Folder)
    .keys
    .filter(_.endsWith(Suffix))
    .map(_.stripSuffix(Suffix))
    .filter(other => other != stream && new StreamProgress(files, other).hasWritten(view))
    .toSeq
    .sorted

  private def hasWritten(view: LogView): Boolean =
    last.exists(mark => mark.batch > 0 || isThere(mark, 0, view) || isLost(mark, view))

  /** Whether the patch of a batch is still to be appended.
    *
    * @param batch
    *   the number of the batch
    * @param view
    *   the log as it is now
    * @throws org.jellyspark.LogException
    *   if later batches of the stream were appended, or if this cannot be known because patches
    *   have expired
    */
  def needs(batch: Long, view: LogView): Boolean = last.forall { mark =>
    if (batch < mark.batch) {
      throw new LogException(
        s"the stream $stream comes with batch $batch, and has written batch ${mark.batch} to the " +
          "log: its checkpoint is older than the log, so what this batch has may be there already. " +
          "Start it with a new checkpoint"
      )
    }
    val found = isThere(mark, batch, view)
    if (!found && batch == mark.batch && isLost(mark, view)) {
      throw new LogException(
        s"the stream $stream was stopped while it wrote batch $batch, and the patches at the " +
          s"positions ${mark.next} to ${view.begin - 1} have expired since: whether the batch is " +
          "among them is not known. Start the stream with a new checkpoint"
      )
    }
    !found
  }

  private def isThere(mark: Mark, batch: Long, view: LogView): Boolean =
    batch == mark.batch && mark.isDone ||
      view.entries(math.max(mark.next, view.begin), view.next).exists(_.id == id(batch))

  /** Whether the patch that a stream was stopped at may have expired. */
  private def isLost(mark: Mark, view: LogView): Boolean =
    !mark.isDone && mark.next < view.begin

  /** Notes that a batch will be appended at a position or after it. */
  def begin(batch: Long, position: Long): Unit = write(Mark(batch, position, isDone = false))

  /** Notes that a batch was appended before a position, or changed nothing. */
  def end(batch: Long, position: Long): Unit = write(Mark(batch, position, isDone = true))

  private def write(mark: Mark): Unit = files.replace(
    name,
    s"""{"version": ${Json.Version}, "batch": ${mark.batch}, "next": ${mark.next}, "done": ${mark.isDone}}
       |""".stripMargin.getBytes(UTF_8)
  )
}

private object StreamProgress {

  /** Where a stream is: `next` is the position after the log's last patch when this was noted. */
  final case class Mark(batch: Long, next: Long, isDone: Boolean)

  /** The folder of the files of all streams. */
  private final val Folder = s"${LogFiles.Own}/streams"

  private final val Suffix = ".json"
}
