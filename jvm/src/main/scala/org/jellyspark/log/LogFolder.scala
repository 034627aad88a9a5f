package org.jellyspark.log

import org.apache.hadoop.conf.Configuration

import org.jellyspark.log.files.LogFiles
import org.jellyspark.log.index.LogIndex

/** The folder of a log, which is read.
  *
  * @param path
  *   the path or URL of the folder, as Hadoop knows it
  * @param conf
  *   the settings of the file system
  */
final class LogFolder(val path: String, conf: Configuration) {
  private[this] val files = new LogFiles(path, conf)

  /** Whether the folder is a managed log: one to which `Log.append` of Python appends. */
  def isManaged: Boolean = LogIndex.isManaged(files)

  /** Whether the folder has patches, of a managed log or not. */
  def hasPatches: Boolean = files.havePatches

  /** Returns the log as it is now.
    *
    * @throws org.jellyspark.LogException
    *   if the folder is not a managed log, is of a newer version, or is broken
    */
  def open(): LogView = {
    val index = LogIndex.open(files, path)
    index.look()
    new LogView(files, index)
  }
}
