package org.jellyspark.sql.digests

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** The digest of a state: numbers of 64 bits.
  *
  * It begins with the sums of both halves of the hashes of all statements, modulo 2^64^. A table
  * follows, in which the first half of the hash of a statement is added at each of its three
  * places. The difference of two states is a digest in which the statements of one count
  * negatively: it is zero at the places of statements that they have equally often, unless hashes
  * collide, and of few others.
  *
  * @param key
  *   the key of the hashes
  * @param logarithm
  *   the logarithm to the base two of the number of places in the table
  */
private[digests] final class Digest(key: Array[Byte], logarithm: Int) {
  import Digest._

  require(
    MinLogarithm <= logarithm && logarithm <= MaxLogarithm,
    s"a table of 2^$logarithm places: the exponent must be $MinLogarithm to $MaxLogarithm"
  )

  private val numbers = new Array[Long](Sums + (1 << logarithm))
  private[this] val mask = (1 << logarithm) - 1
  private[this] val hash = new StatementHash(key)

  // What is to be added to the table: the processor then waits for many places at once.
  private[this] val places = new Array[Int](3 * MaxPending)
  private[this] val hashes = new Array[Long](MaxPending)
  private[this] var pending = 0

  /** Adds a statement.
    *
    * @param graph
    *   the graph, or null
    * @param weight
    *   how often the statement counts; negative to remove it
    */
  def add(
      subject: UTF8String,
      predicate: UTF8String,
      obj: UTF8String,
      graph: UTF8String,
      weight: Long
  ): Unit = {
    hash.read(subject, predicate, obj, graph)
    hash.mix()
    val first = hash.first * weight
    numbers(0) += first
    numbers(1) += hash.second * weight
    val i = 3 * pending
    places(i) = Sums + (hash.fingerprintA.toInt & mask)
    places(i + 1) = Sums + (hash.fingerprintB.toInt & mask)
    places(i + 2) = Sums + (hash.fingerprintC.toInt & mask)
    hashes(pending) = first
    pending += 1
    if (pending == MaxPending) flush()
  }

  private def flush(): Unit = {
    var i = 0
    while (i < pending) {
      val hash = hashes(i)
      numbers(places(3 * i)) += hash
      numbers(places(3 * i + 1)) += hash
      numbers(places(3 * i + 2)) += hash
      i += 1
    }
    pending = 0
  }

  /** Adds the statements of another digest, with the same key and as many places. */
  def add(other: Digest): Unit = {
    other.flush()
    var i = 0
    while (i < numbers.length) {
      numbers(i) += other.numbers(i)
      i += 1
    }
  }

  /** Returns the numbers, in the native order. */
  def toBytes: Array[Byte] = {
    flush()
    val bytes = new Array[Byte](numbers.length * NumberSize)
    Platform.copyMemory(numbers, NumbersStart, bytes, Start, bytes.length.toLong)
    bytes
  }

  /** Returns the marks: the first two sums, and a bit for each place of the table, which says
    * whether the number there is not zero. If most are not, the bits say too little, and are left
    * out.
    */
  def marks: Array[Byte] = {
    flush()
    val marks = new Array[Byte](SumsSize + (1 << logarithm - 3))
    Platform.copyMemory(numbers, NumbersStart, marks, Start, SumsSize.toLong)
    var count = 0
    var i = 0
    while (i <= mask) {
      if (numbers(Sums + i) != 0) {
        val byte = SumsSize + (i >> 3)
        marks(byte) = (marks(byte) | 1 << (i & 7)).toByte
        count += 1
      }
      i += 1
    }
    if (count > mask / 2) marks.take(SumsSize) else marks
  }
}

private[digests] object Digest {
  private val Start = Platform.BYTE_ARRAY_OFFSET.toLong
  private val NumbersStart = Platform.LONG_ARRAY_OFFSET.toLong
  private final val NumberSize = 8
  private final val Sums = 2
  private final val SumsSize = Sums * NumberSize
  private final val MinLogarithm = 3
  private final val MaxLogarithm = 26
  private final val MaxPending = 128

  /** Returns a digest, given its bytes by [[Digest.toBytes]]. */
  def of(key: Array[Byte], logarithm: Int, bytes: Array[Byte]): Digest = {
    val digest = new Digest(key, logarithm)
    Platform.copyMemory(bytes, Start, digest.numbers, NumbersStart, bytes.length.toLong)
    digest
  }

  /** Returns whether all places of a statement are marked.
    *
    * @param marks
    *   the marks of a digest
    * @param hash
    *   a hash with the same key
    */
  def mayDiffer(
      marks: Array[Byte],
      hash: StatementHash,
      subject: UTF8String,
      predicate: UTF8String,
      obj: UTF8String,
      graph: UTF8String
  ): Boolean = marks.length == SumsSize || {
    hash.read(subject, predicate, obj, graph)
    val mask = (marks.length - SumsSize << 3) - 1
    isMarked(marks, hash.fingerprintA.toInt & mask) &&
    isMarked(marks, hash.fingerprintB.toInt & mask) &&
    isMarked(marks, hash.fingerprintC.toInt & mask)
  }

  private def isMarked(marks: Array[Byte], place: Int): Boolean =
    (marks(SumsSize + (place >> 3)) >> (place & 7) & 1) != 0
}
