package org.jellyspark.log

/** A file with patches of a log. It may also have others.
  *
  * @param path
  *   the full path or URL
  * @param format
  *   the short name of the format
  * @param patches
  *   the 0-based ordinal of each patch in the file, and its position in the log
  * @param size
  *   the size in bytes, as the log says. A file of another size is not the one that is meant.
  */
final case class PatchFile(path: String, format: String, patches: Seq[(Long, Long)], size: Long)
