package org.jellyspark.source.files

import org.apache.hadoop.io.compress.Decompressor

/** Decompresses members of gzip that zero bytes may follow, as they do on tapes and in other files
  * with a size in blocks. A stream of Hadoop resets a decompressor after each member.
  *
  * @param members
  *   decompresses members
  */
private[files] final class PaddedMembers(members: Decompressor) extends Decompressor {
  // Whether a member has ended, and no other has begun.
  private[this] var isBetween = false

  override def reset(): Unit = {
    members.reset()
    isBetween = true
  }

  override def setInput(bytes: Array[Byte], from: Int, count: Int): Unit = {
    var start = from
    if (isBetween) while (start < from + count && bytes(start) == 0) start += 1
    if (start < from + count) {
      isBetween = false
      members.setInput(bytes, start, from + count - start)
    }
  }

  override def finished(): Boolean = isBetween || members.finished()

  override def getRemaining: Int = if (isBetween) 0 else members.getRemaining

  override def decompress(bytes: Array[Byte], from: Int, count: Int): Int =
    if (isBetween) 0 else members.decompress(bytes, from, count)

  override def needsInput(): Boolean = members.needsInput()

  override def needsDictionary(): Boolean = members.needsDictionary()

  override def setDictionary(bytes: Array[Byte], from: Int, count: Int): Unit =
    members.setDictionary(bytes, from, count)

  override def end(): Unit = members.end()
}
