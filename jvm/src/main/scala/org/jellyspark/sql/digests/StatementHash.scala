package org.jellyspark.sql.digests

import java.lang.Long.rotateLeft
import java.nio.{ByteBuffer, ByteOrder}

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.array.ByteArrayMethods
import org.apache.spark.unsafe.types.UTF8String

/** The keyed hash of a statement: two sums' worth of pseudorandom bits, and places in a table.
  *
  * A term is a sequence of words: 1, its length plus one, and its bytes, seven in a word; null is 0.
  * Its three fingerprints are the values of the polynomial with these coefficients over the field
  * of 2^61^ - 1, at three secret points; those of the statement are the values of the polynomials
  * with the fingerprints of its terms as coefficients, at three further points (Carter and Wegman).
  * They also are the places in the table. Two different statements, with terms of at most n words,
  * have the same fingerprints with a probability of at most ((n + 4) / 2^61^)^3^. Fingerprints are
  * linear in the terms, so their sums would prove nothing; [[first]] and [[second]] are their
  * SipHash-1-3 of 128 bits, a pseudorandom function (Aumasson and Bernstein).
  *
  * An instance holds the last statement, so that hashing makes no objects: it belongs to one task.
  *
  * @param key
  *   [[StatementHash.KeySize]] random bytes
  */
private[digests] final class StatementHash(key: Array[Byte]) {
  import StatementHash._

  private[this] val words = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN)
  private[this] val key0 = words.getLong
  private[this] val key1 = words.getLong
  private[this] val pointA = words.getLong & Modulus
  private[this] val pointB = words.getLong & Modulus
  private[this] val pointC = words.getLong & Modulus
  private[this] val outerA = words.getLong & Modulus
  private[this] val outerB = words.getLong & Modulus
  private[this] val outerC = words.getLong & Modulus

  // Terms that come again soon in the same place. Objects seldom do.
  private[this] val subjects, graphs = new RecentTerms(0)
  private[this] val predicates = new RecentTerms(6)

  private[this] var a, b, c = 0L
  private[this] var termA, termB, termC = 0L
  private[this] var low, high = 0L

  /** Hashes a statement. A graph may be null. */
  def read(subject: UTF8String, predicate: UTF8String, obj: UTF8String, graph: UTF8String): Unit = {
    a = 0
    b = 0
    c = 0
    readRecent(subjects, subject)
    readRecent(predicates, predicate)
    readTerm(obj)
    add()
    readRecent(graphs, graph)
    a = reduced(a)
    b = reduced(b)
    c = reduced(c)
  }

  /** The fingerprints of the statement, after [[read]]. */
  def fingerprintA: Long = a
  def fingerprintB: Long = b
  def fingerprintC: Long = c

  /** The lower half of the hash, after [[mix]]. */
  def first: Long = low

  /** The upper half of the hash, after [[mix]]. */
  def second: Long = high

  /** Computes the hash of the statement from its fingerprints. */
  def mix(): Unit = {
    var v0 = key0 ^ 0x736f6d6570736575L
    var v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee
    var v2 = key0 ^ 0x6c7967656e657261L
    var v3 = key1 ^ 0x7465646279746573L
    var turn = 0
    while (turn < Turns) {
      val message = turn match {
        case 0 => a
        case 1 => b
        case 2 => c
        case 3 => MessageEnd
        case _ => 0L
      }
      v3 ^= message
      if (turn == FirstOfLow) v2 ^= 0xee
      else if (turn == FirstOfHigh) {
        low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
      }
      v0 += v1
      v1 = rotateLeft(v1, 13) ^ v0
      v0 = rotateLeft(v0, 32)
      v2 += v3
      v3 = rotateLeft(v3, 16) ^ v2
      v0 += v3
      v3 = rotateLeft(v3, 21) ^ v0
      v2 += v1
      v1 = rotateLeft(v1, 17) ^ v2
      v2 = rotateLeft(v2, 32)
      v0 ^= message
      turn += 1
    }
    high = v0 ^ v1 ^ v2 ^ v3
  }

  /** Adds the fingerprints of a term to those of the statement. */
  private[this] def add(): Unit = {
    a = next(a, outerA, termA)
    b = next(b, outerB, termB)
    c = next(c, outerC, termC)
  }

  private[this] def readRecent(terms: RecentTerms, term: UTF8String): Unit = {
    if (terms.has(term)) {
      termA = terms.a
      termB = terms.b
      termC = terms.c
    } else {
      readTerm(term)
      terms.put(term, termA, termB, termC)
    }
    add()
  }

  private[this] def readTerm(term: UTF8String): Unit =
    if (term == null) {
      termA = 0
      termB = 0
      termC = 0
    } else {
      val base = term.getBaseObject
      val size = term.numBytes
      var at = term.getBaseOffset
      val end = at + size
      var x = next(1, pointA, size + 1L)
      var y = next(1, pointB, size + 1L)
      var z = next(1, pointC, size + 1L)
      // A word is loaded with the byte after it, which must exist.
      while (at + WordSize < end) {
        val word = load(base, at) & WordMask
        x = next(x, pointA, word)
        y = next(y, pointB, word)
        z = next(z, pointC, word)
        at += WordSize
      }
      // One to seven bytes are left, or none of an empty string.
      var word = 0L
      if (size > WordSize) word = load(base, end - 8) >>> (64 - ((end - at) << 3))
      else {
        var i = end - 1
        while (i >= at) {
          word = word << 8 | Platform.getByte(base, i) & 0xff
          i -= 1
        }
      }
      termA = next(x, pointA, word)
      termB = next(y, pointB, word)
      termC = next(z, pointC, word)
    }
}

private[digests] object StatementHash {

  /** The number of bytes of a key. */
  final val KeySize = 64

  /** The prime of the field. */
  private final val Modulus = (1L << 61) - 1
  private final val WordSize = 7
  private final val WordMask = (1L << 56) - 1

  // The last word of SipHash's message says how long it is: three words.
  private final val MessageEnd = 24L << 56
  private final val FirstOfLow = 4
  private final val FirstOfHigh = 7
  private final val Turns = 10

  private val IsBigEndian = ByteOrder.nativeOrder == ByteOrder.BIG_ENDIAN

  /** Evaluates a polynomial at a point one coefficient further. The result is less than 2^61^ + 2,
    * and so may `value` and `coefficient` be.
    */
  private def next(value: Long, point: Long, coefficient: Long): Long = {
    val low = value * point
    val high = Math.multiplyHigh(value, point)
    val sum = (high << 3 | low >>> 61) + (low & Modulus) + coefficient
    (sum & Modulus) + (sum >>> 61)
  }

  private def load(base: Object, offset: Long): Long = {
    val word = Platform.getLong(base, offset)
    if (IsBigEndian) java.lang.Long.reverseBytes(word) else word
  }

  private def reduced(value: Long): Long = if (value >= Modulus) value - Modulus else value

  /** The fingerprints of the last terms that were hashed, in `2^logarithm` slots. */
  private final class RecentTerms(logarithm: Int) {
    private[this] val bytes = new Array[Byte](MaxRecent << logarithm)
    private[this] val sizes = new Array[Int](1 << logarithm)
    private[this] val fingerprints = new Array[Long](3 << logarithm)

    // That of the last term that was looked up; -1 if such terms are not kept.
    private[this] var slot = -1

    /** Returns whether the fingerprints of a term are known; if so, [[a]] to [[c]] are them. */
    def has(term: UTF8String): Boolean = {
      val size = if (term == null) 0 else term.numBytes
      if (size < 8 || size > MaxRecent) {
        slot = -1
        false
      } else {
        val base = term.getBaseObject
        val offset = term.getBaseOffset
        // Terms differ most at their ends, before the bracket.
        val end = Platform.getLong(base, offset + size - 8)
        slot = (end * 0x9e3779b97f4a7c15L >>> 1 >>> (63 - logarithm)).toInt
        sizes(slot) == size &&
        ByteArrayMethods.arrayEquals(base, offset, bytes, start, size.toLong)
      }
    }

    def a: Long = fingerprints(3 * slot)
    def b: Long = fingerprints(3 * slot + 1)
    def c: Long = fingerprints(3 * slot + 2)

    /** Keeps the fingerprints of the term that was looked up last, if its slot can hold it. */
    def put(term: UTF8String, a: Long, b: Long, c: Long): Unit = if (slot >= 0) {
      val size = term.numBytes
      Platform.copyMemory(term.getBaseObject, term.getBaseOffset, bytes, start, size.toLong)
      sizes(slot) = size
      fingerprints(3 * slot) = a
      fingerprints(3 * slot + 1) = b
      fingerprints(3 * slot + 2) = c
    }

    private def start = Platform.BYTE_ARRAY_OFFSET + slot * MaxRecent.toLong
  }

  /** The number of bytes of the longest term that is kept. */
  private final val MaxRecent = 256
}
