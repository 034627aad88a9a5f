package org.jellyspark.jelly.decoding

import org.jellyspark.jelly.wire.Tag

/** Reads the ids of an RdfIri in its most common forms, for [[FastRows]], using SWAR (SIMD within a
  * register). Its bytes, at most five, are the lowest of a word. One mask and compare tests its
  * tags and the highest bits of all its varints at once. With a prefix id of one byte and a name id
  * of one or two, the message has one of these forms:
  * {{{
  * length 0:                            -
  * length 2: 10 nn                      name id below 2^7
  * length 2: 08 pp                      prefix id
  * length 3: 10 nn|80 nn                name id below 2^14
  * length 4: 08 pp 10 nn                both
  * length 5: 08 pp 10 nn|80 nn          both
  * }}}
  * An id of two bytes is `nn & 0x7f | nn << 7`.
  */
private[decoding] object FastIri {

  /** Returned instead of ids if the message is in another form. */
  final val Uncommon = -1

  private final val NameBits = 14

  /** Returns both ids as one number, from which [[prefix]] and [[name]] take them.
    *
    * @param word
    *   eight bytes from the beginning of the message
    * @param length
    *   the number of bytes of the message
    */
  def ids(word: Long, length: Int): Int =
    if (length == 2 && (word & 0x80ff) == Tag.NameId) low(word >>> 8)
    else if (length == 3 && (word & 0x8080ff) == (0x8000 | Tag.NameId))
      low(word >>> 8) | high(word >>> 16)
    else if (length == 4 && (word & 0x80ff80ffL) == (Tag.NameId << 16 | Tag.PrefixId))
      low(word >>> 8) << NameBits | low(word >>> 24)
    else if (
      length == 5 && (word & 0x8080ff80ffL) == (0x80000000L | Tag.NameId << 16 | Tag.PrefixId)
    ) low(word >>> 8) << NameBits | low(word >>> 24) | high(word >>> 32)
    else if (length == 2 && (word & 0x80ff) == Tag.PrefixId) low(word >>> 8) << NameBits
    else if (length == 0) 0
    else Uncommon

  /** The prefix id in the file, where 0 means the previous one. */
  def prefix(ids: Int): Int = ids >>> NameBits

  /** The name id in the file, where 0 means the previous one plus 1. */
  def name(ids: Int): Int = ids & (1 << NameBits) - 1

  /** The lower seven bits of an id, from its first byte. */
  private def low(word: Long): Int = word.toInt & 0x7f

  /** The upper bits of an id of two bytes, from its second byte. */
  private def high(word: Long): Int = (word.toInt & 0x7f) << 7
}
