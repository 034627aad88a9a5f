package org.jellyspark.formats.ntriples

import java.io.InputStream
import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}

/** Recognizes streams of messages, as the draft RDF Messages defines them: files with the line
  * `VERSION "1.2-messages"` in their first bytes, with only blank lines, comments and other
  * versions before it.
  */
private[ntriples] object MessageStream {

  /** The number of bytes of a file in which the version must come, so that each task that reads a
    * part of the file can know it.
    */
  final val HeadSize = 1 << 16

  // Most files show in their first bytes that they have no messages.
  private final val ChunkSize = 1 << 12
  private val ByteOrderMark = new String("\ufeff".getBytes(UTF_8), ISO_8859_1)
  // The lines that may come before the version of messages, and that line itself.
  private val HeadLine =
    """[ \t]*(?:VERSION[ \t]*"([^"\r\n]*)"[ \t]*)?(?:#[^\r\n]*)?[\r\n]""".r.pattern

  /** Whether a file is a stream of messages.
    *
    * @param in
    *   the file from its beginning; reads up to [[HeadSize]] bytes
    */
  def isIn(in: InputStream): Boolean = {
    var head = ""
    var found: Option[Boolean] = None
    while (found.isEmpty) {
      val more = in.readNBytes(math.min(ChunkSize, HeadSize - head.length))
      head += new String(more, ISO_8859_1)
      found = decide(head, isWhole = more.isEmpty)
    }
    found.get
  }

  /** Whether a file that begins with `head` is a stream of messages; None if the bytes after it
    * decide that.
    */
  private def decide(head: String, isWhole: Boolean): Option[Boolean] = {
    val text = if (isWhole) head + "\n" else head
    val line = HeadLine.matcher(text)
    var at = if (text.startsWith(ByteOrderMark)) ByteOrderMark.length else 0
    while (line.region(at, text.length).lookingAt()) {
      if (line.group(1) == LineVersion.Messages.name) return Some(true)
      at = line.end
    }
    if (isWhole || text.indexWhere(c => c == '\n' || c == '\r', at) >= 0) Some(false) else None
  }
}
