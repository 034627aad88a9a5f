package org.jellyspark.jelly.frames

import org.jellyspark.core.bytes.{BloomFilter, XxHash64}

/** The distinct hashes of the terms that a restart range has in a column.
  *
  * A hash table with open addressing and linear probing, because it may have millions of entries.
  */
private[jellyspark] final class TermHashes {
  import TermHashes._

  // 0 stands for no hash, so whether the hash 0 is present is a flag.
  private[this] var table = new Array[Long](InitialSize)
  private[this] var hasZero = false
  private[this] var count = 0

  /** Whether there are more terms than a filter may have. */
  def overflows: Boolean = count > MaxTerms

  /** Adds the term whose canonical text is the `length` bytes from `from` on. */
  def add(text: Array[Byte], from: Int, length: Int): Unit =
    if (!overflows) add(XxHash64.of(text, from, from + length))

  /** Removes all hashes. */
  def clear(): Unit = {
    table = new Array[Long](InitialSize)
    hasZero = false
    count = 0
  }

  /** The blocks of a filter of the terms, with `bits` for each. */
  def toFilter(bits: Int): Array[Byte] = {
    val blocks = new Array[Byte](BloomFilter.sizeOf(count, bits))
    table.foreach(hash => if (hash != 0) BloomFilter.add(blocks, hash))
    if (hasZero) BloomFilter.add(blocks, 0)
    blocks
  }

  private def add(hash: Long): Unit =
    if (hash == 0) {
      if (!hasZero) count += 1
      hasZero = true
    } else if (put(hash)) {
      count += 1
      if (count > table.length / 2) grow()
    }

  /** Whether the hash was not in the table yet. */
  private def put(hash: Long): Boolean = {
    val mask = table.length - 1
    var at = hash.toInt & mask
    while (table(at) != 0 && table(at) != hash) at = at + 1 & mask
    val isNew = table(at) == 0
    table(at) = hash
    isNew
  }

  private def grow(): Unit = {
    val old = table
    table = new Array[Long](2 * old.length)
    old.foreach(hash => if (hash != 0) put(hash))
  }
}

private object TermHashes {
  private final val InitialSize = 1 << 10
  // The most terms in a filter. Python's writer has the same limit.
  private final val MaxTerms = 1 << 21
}
