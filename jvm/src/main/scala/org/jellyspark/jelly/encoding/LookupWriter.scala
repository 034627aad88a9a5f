package org.jellyspark.jelly.encoding

import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.jelly.frames.FrameWriter

/** A lookup of the encoder, whose new entries are written before the row that uses them.
  *
  * @param table
  *   what it holds, for messages
  * @param maxSize
  *   the most entries; 0: it is not used
  * @param frame
  *   where entries are written
  * @param field
  *   that of their rows
  */
private[jelly] final class LookupWriter(
    table: String,
    maxSize: Int,
    frame: FrameWriter,
    field: Int
) {
  private[this] val lookup = new ByteLookup(table, maxSize)
  private[this] var row = 1L

  /** The row is complete that used entries. */
  def endRow(): Unit = row += 1

  def restart(): Unit = lookup.restart()

  /** The entry whose bytes are those from `from` to before `to`; null if there is none. */
  def find(bytes: Array[Byte], from: Int, to: Int): LookupEntry =
    lookup.find(bytes, from, to, ByteHash.of(bytes, from, to))

  /** Whether an entry is here still, which has this stamp. */
  def isHere(id: Int, stamp: Int): Boolean = lookup.isHere(id, stamp)

  /** Notes that the row uses an entry. */
  def use(id: Int): Unit = lookup.use(id, row)

  /** The entry of these bytes, used by the row; a new one is written.
    *
    * @throws org.jellyspark.core.RefusedException
    *   if the row uses all entries
    */
  def entry(bytes: Array[Byte], from: Int, to: Int): LookupEntry = {
    val hash = ByteHash.of(bytes, from, to)
    val known = lookup.find(bytes, from, to, hash)
    if (known ne null) {
      lookup.use(known.id, row)
      known
    } else {
      val added = lookup.add(Arrays.copyOfRange(bytes, from, to), hash, row)
      frame.entry(field, lookup.wireId, added.bytes)
      added
    }
  }
}
