package org.jellyspark.sql.digests

import org.apache.spark.unsafe.Platform

/** Digests of states: arrays of 64-bit numbers in native order.
  *
  * A digest begins with the sums of both halves of the hashes of all statements, modulo 2^64^. A
  * table follows, in which the first half of the hash of a statement is added at each of its three
  * places. The difference of two states is a digest in which the statements of one count
  * negatively: it is zero at the places of statements that they have equally often, unless hashes
  * collide, and of few others.
  *
  * The marks of a digest are its first two sums, and a bit for each place of the table, which says
  * whether the number there is not zero.
  */
private[sql] object Digests {
  private val Start = Platform.BYTE_ARRAY_OFFSET
  private final val NumberSize = 8
  private final val SumsSize = 2 * NumberSize
  private final val MinLogarithm = 3
  private final val MaxLogarithm = 26

  /** Returns the digest of the empty state.
    *
    * @param logarithm
    *   the logarithm to the base two of the number of places in the table
    */
  def empty(logarithm: Int): Array[Byte] = {
    require(
      MinLogarithm <= logarithm && logarithm <= MaxLogarithm,
      s"a table of 2^$logarithm places: the exponent must be $MinLogarithm to $MaxLogarithm"
    )
    new Array(SumsSize + (NumberSize << logarithm))
  }

  /** Adds a statement to a digest, and returns the digest.
    *
    * @param hash
    *   the hash of the statement
    * @param weight
    *   how often the statement counts; negative to remove it
    */
  def add(digest: Array[Byte], hash: StatementHash, weight: Long): Array[Byte] = {
    hash.mix()
    val first = hash.first * weight
    val mask = maskOf(digest)
    addAt(digest, 0, first)
    addAt(digest, 1, hash.second * weight)
    addAt(digest, 2 + (hash.fingerprintA.toInt & mask), first)
    addAt(digest, 2 + (hash.fingerprintB.toInt & mask), first)
    addAt(digest, 2 + (hash.fingerprintC.toInt & mask), first)
    digest
  }

  /** Adds another digest of the same size to a digest, and returns the digest. */
  def add(digest: Array[Byte], other: Array[Byte]): Array[Byte] = {
    var i = 0
    while (i < digest.length / NumberSize) {
      addAt(digest, i, at(other, i))
      i += 1
    }
    digest
  }

  /** Returns the marks of a digest. */
  def marks(digest: Array[Byte]): Array[Byte] = {
    val places = (digest.length - SumsSize) / NumberSize
    val marks = new Array[Byte](SumsSize + places / 8)
    Array.copy(digest, 0, marks, 0, SumsSize)
    var i = 0
    while (i < places) {
      if (at(digest, 2 + i) != 0) {
        val byte = SumsSize + (i >> 3)
        marks(byte) = (marks(byte) | 1 << (i & 7)).toByte
      }
      i += 1
    }
    marks
  }

  /** Returns whether all places of a statement are marked. */
  def mayDiffer(marks: Array[Byte], hash: StatementHash): Boolean = {
    val mask = (marks.length - SumsSize << 3) - 1
    isMarked(marks, hash.fingerprintA.toInt & mask) && isMarked(
      marks,
      hash.fingerprintB.toInt & mask
    ) &&
    isMarked(marks, hash.fingerprintC.toInt & mask)
  }

  private def isMarked(marks: Array[Byte], place: Int): Boolean =
    (marks(SumsSize + (place >> 3)) >> (place & 7) & 1) != 0

  private def maskOf(digest: Array[Byte]): Int = (digest.length - SumsSize) / NumberSize - 1

  private def at(numbers: Array[Byte], i: Int): Long =
    Platform.getLong(numbers, Start + i.toLong * NumberSize)

  private def addAt(numbers: Array[Byte], i: Int, number: Long): Unit = {
    val offset = Start + i.toLong * NumberSize
    Platform.putLong(numbers, offset, Platform.getLong(numbers, offset) + number)
  }
}
