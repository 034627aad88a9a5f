package org.jellyspark.log.entries

/** A file with patches of a log. It may also have others.
  *
  * @param name
  *   the name, relative to the folder of the log
  * @param path
  *   the full path or URL
  * @param format
  *   the short name of the format
  * @param patches
  *   the 0-based ordinal of each patch in the file, and its position in the log
  * @param size
  *   the size in bytes, as the log says. A file of another size is not the one that is meant.
  * @param isPack
  *   whether it is a pack, in which `END` rows only separate the patches
  * @param subjects
  *   a filter of the subjects of the patch, if there is one patch; none if it is not known
  */
final case class PatchFile(
    name: String,
    path: String,
    format: String,
    patches: Seq[(Long, Long)],
    size: Long,
    isPack: Boolean,
    subjects: Option[SubjectFilter]
)
