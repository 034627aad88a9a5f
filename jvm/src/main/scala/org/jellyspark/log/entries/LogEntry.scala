package org.jellyspark.log.entries

import java.time.Instant

/** What is known about a patch of a log without reading it.
  *
  * @param position
  *   the 0-based position in the log
  * @param id
  *   the header `id`
  * @param prev
  *   the header `prev`
  * @param time
  *   when the patch was appended
  * @param file
  *   the name of its file, relative to the folder of the log. The patch may also be in a pack, and
  *   the file may then be gone: see [[LogView.files]].
  * @param patch
  *   the 0-based ordinal of the patch in this file
  * @param size
  *   the size of this file in bytes
  * @param sha256
  *   the SHA-256 of this file, in hex
  * @param committed
  *   whether all its changes take effect: no transaction is aborted or open
  * @param statements
  *   whether it has an `A` or `D` row
  * @param prefixes
  *   whether it has a `PA` or `PD` row
  * @param canonical
  *   whether it was checked that each of its `A` and `D` rows is a change
  * @param subjects
  *   a filter of the subjects of these rows; none if it is not known
  * @param message
  *   the header `message`, a term; none if there is none, or if it is longer than 1,000 characters
  */
final case class LogEntry(
    position: Long,
    id: String,
    prev: Option[String],
    time: Instant,
    file: String,
    patch: Long,
    size: Long,
    sha256: String,
    committed: Boolean,
    statements: Boolean,
    prefixes: Boolean,
    canonical: Boolean,
    subjects: Option[SubjectFilter],
    message: Option[String]
)

private[log] object LogEntry {

  /** How many characters (code points) a header `message` may have that is kept, as a term. */
  private val LongestMessage = 1000

  /** Whether an entry has a header `message`, a canonical term: it is not too long. */
  def isKept(message: String): Boolean =
    message.codePointCount(0, message.length) <= LongestMessage
}
