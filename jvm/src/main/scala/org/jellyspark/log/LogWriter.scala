package org.jellyspark.log

import java.time.Instant
import java.time.temporal.ChronoUnit.MICROS

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.jellyspark.LogException
import org.jellyspark.log.entries.{LogEntry, NewPatch, PatchScan}
import org.jellyspark.log.files.LogFiles
import org.jellyspark.log.index.{IndexWriter, LogIndex, Settings}

/** Appends patches to a managed log, as `Log.append` of Python does. Several programs can do so at
  * the same time, and each program from several threads: the patches form one chain.
  *
  * {{{
  * val writer = new LogWriter("data/log", conf)
  * writer.create()
  * val staging = writer.newStaging()
  * // Write `staging/part-00000.jellyp` here.
  * val patch = NewPatch("<urn:patch:1>", None, statements = true, prefixes = false, None)
  * val entry = writer.append(new Path(staging, "part-00000.jellyp"), 0, patch)
  * writer.remove(staging)
  * }}}
  *
  * @param folder
  *   the path or URL of the folder of the log
  * @param conf
  *   the settings of the file system
  */
final class LogWriter(folder: String, conf: Configuration) {
  import LogWriter._

  private[this] val files = new LogFiles(folder, conf)
  private[this] lazy val writer = new IndexWriter(files, LogIndex.open(files, folder))

  /** Makes an empty or missing folder an empty managed log.
    *
    * @return
    *   false if it is a managed log already
    * @throws org.jellyspark.LogException
    *   if it has patches, but is not a managed log
    * @throws org.jellyspark.OptionException
    *   if the file system cannot create a file only if it does not exist
    */
  def create(): Boolean =
    if (LogIndex.isManaged(files)) false
    else {
      checkAppendable()
      val isCreated = Settings.createFirst(files)
      if (isCreated) writer.save()
      isCreated
    }

  /** Checks that the folder can become a managed log, because it has no patches.
    *
    * @throws org.jellyspark.LogException
    *   if it has some, or is a file
    */
  def checkAppendable(): Unit = {
    if (files.isFile) throw new LogException(s"$folder is a file, so it cannot become a log")
    if (files.havePatches || files.list(Snapshots.Folder).nonEmpty) {
      throw new LogException(
        s"$folder has patches, but is not a managed log, so nothing can be appended: call " +
          "Log.adopt once"
      )
    }
  }

  /** Returns the path of a new folder for temporary files, which is not created. Files that are
    * appended from there are not copied, if the file system allows that.
    */
  def newStaging(): Path = files.newStaging()

  /** Removes such a folder, if it exists. */
  def remove(staging: Path): Unit = files.remove(staging)

  /** Removes the folder of a log that was not made after all, if nothing is in it. */
  def removeEmpty(): Unit = Seq(LogFiles.Own, "").foreach(files.removeEmpty)

  /** Returns how far a stream with an id has written the log. */
  def progress(stream: String): StreamProgress = new StreamProgress(files, stream)

  /** Whether a patch in a staging folder changes anything. Only its first rows are read. */
  def isChanging(source: Path): Boolean = new PatchScan(files).isChanging(source)

  /** Appends a patch, if no other patch has its position. The patch survives a crash of the
    * machine.
    *
    * @param source
    *   an uncompressed file of Jelly-Patch with the patch, in a staging folder. All transactions of
    *   the patch are committed, and it is known that each of its `A` and `D` rows is a change. The
    *   file may be gone afterwards.
    * @param position
    *   the position after the last patch of the version that the patch was made for
    * @param patch
    *   what is known about the patch
    * @return
    *   none if another patch has the position
    * @throws org.jellyspark.LogException
    *   if the folder is not a managed log, if its last patch is not `prev`, if the patch has the id
    *   of the patch before it, or if a small file does not have this patch
    * @throws org.jellyspark.OptionException
    *   if the file system cannot create a file only if it does not exist
    */
  def append(source: Path, position: Long, patch: NewPatch): Option[LogEntry] = {
    if (patch.prev.contains(patch.id)) {
      throw new LogException(s"the patch has the id of the patch before it, ${patch.id}")
    }
    val index = writer.index
    val entry = entryOf(source, position, patch)
    index.synchronized {
      if (index.next < position) index.look()
      if (index.next != position) None
      else {
        if (index.head != patch.prev) throw conflict(patch, index.head)
        val created =
          writer.createNext(source, entry.copy(time = Instant.now().truncatedTo(MICROS)))
        if (created.isDefined) writer.save()
        created
      }
    }
  }

  /** Returns the entry of a patch, given its file. A large file is not decoded. */
  private def entryOf(source: Path, position: Long, patch: NewPatch): LogEntry = {
    val scan = new PatchScan(files)
    if (files.modified(source)._2 > FewBytes) scan.describe(source, position, patch)
    else
      scan
        .read(source, position)
        .filter(found => found.id == patch.id && found.prev == patch.prev)
        .map(_.copy(canonical = true))
        .getOrElse {
          throw new LogException(
            s"$source does not have one patch with the id ${patch.id}${after(patch.prev)}"
          )
        }
  }

  private def conflict(patch: NewPatch, head: Option[String]) = new LogException(
    s"the patch ${patch.id} cannot be appended${after(patch.prev)}: the last patch of $folder is " +
      head.getOrElse("missing")
  )
}

private object LogWriter {

  /** The size of a file in bytes, up to which it is decoded again. */
  private final val FewBytes = 65536

  private def after(prev: Option[String]): String = prev.fold("")(id => s" after $id")
}
