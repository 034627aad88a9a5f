package org.jellyspark.sql.digests

import java.nio.{ByteBuffer, ByteOrder}

import scala.util.Random

import org.apache.spark.unsafe.types.UTF8String
import org.bouncycastle.crypto.macs.SipHash128
import org.bouncycastle.crypto.params.KeyParameter
import org.scalatest.funsuite.AnyFunSuite

class StatementHashSuite extends AnyFunSuite {
  import StatementHashSuite._

  test("fingerprints are the values of the polynomials that the terms are") {
    val random = new Random(1)
    val key = random.nextBytes(StatementHash.KeySize)
    // Each length of a last word, before and after a whole word.
    val terms = (0 to 24).map(random.alphanumeric.take(_).mkString) :+ null
    for (subject <- terms; obj <- Seq("", "é", "\"a longer literal\"", null)) {
      val statement = Seq(subject, "<p>", obj, null)
      assert(fingerprintsOf(key, statement) == expected(key, statement), statement)
    }
  }

  test("the hash is SipHash-1-3 of 128 bits of the fingerprints") {
    val random = new Random(2)
    for (_ <- 1 to 100) {
      val key = random.nextBytes(StatementHash.KeySize)
      val hash = hashOf(key, Seq("<s>", "<p>", random.nextLong().toString, null))
      val mac = new SipHash128(1, 3)
      mac.init(new KeyParameter(key.take(16)))
      val message = numbers(24)
      fingerprints(hash).foreach(message.putLong)
      mac.update(message.array, 0, 24)
      val found = numbers(16)
      mac.doFinal(found.array, 0)
      assert(Seq(hash.first, hash.second) == Seq(found.getLong(0), found.getLong(8)))
    }
  }

  test("statements that differ in a null, an empty term or where a term ends have other hashes") {
    val key = new Random(3).nextBytes(StatementHash.KeySize)
    val statements = Seq(
      Seq("ab", "c", "d", null),
      Seq("a", "bc", "d", null),
      Seq("a", "b", "cd", null),
      Seq("ab", "c", "", "d"),
      Seq("ab", "c", "d", ""),
      Seq("ab", "c", null, "d"),
      Seq("ab", "c", "d\u0000", null)
    )
    assert(statements.map(hashOf(key, _).first).distinct.length == statements.length)
  }

  test("a slice of a longer string has the hash of a copy") {
    val key = new Random(4).nextBytes(StatementHash.KeySize)
    val whole = UTF8String.fromString("<urn:x:a><urn:x:b>")
    val slice = whole.substring(9, 18)
    val (of, copy) = (new StatementHash(key), new StatementHash(key))
    of.read(slice, slice, slice, null)
    copy.read(slice.copy(), slice.copy(), slice.copy(), null)
    assert(fingerprints(of) == fingerprints(copy))
  }
}

private object StatementHashSuite {
  private val Modulus = BigInt(2).pow(61) - 1

  def hashOf(key: Array[Byte], statement: Seq[String]): StatementHash = {
    val hash = new StatementHash(key)
    val terms = statement.map(UTF8String.fromString)
    hash.read(terms(0), terms(1), terms(2), terms(3))
    hash.mix()
    hash
  }

  private def fingerprints(hash: StatementHash): Seq[Long] =
    Seq(hash.fingerprintA, hash.fingerprintB, hash.fingerprintC)

  private def fingerprintsOf(key: Array[Byte], statement: Seq[String]): Seq[BigInt] =
    fingerprints(hashOf(key, statement)).map(BigInt(_))

  /** The fingerprints, computed as they are defined. */
  private def expected(key: Array[Byte], statement: Seq[String]): Seq[BigInt] = {
    val terms = statement.map {
      case null => Seq(BigInt(0))
      case term =>
        val bytes = term.getBytes("UTF-8")
        Seq(BigInt(1), BigInt(bytes.length + 1)) :++
          bytes.grouped(7).toSeq.map(word => BigInt(1, word.reverse)) :++
          Option.when(bytes.isEmpty)(BigInt(0))
    }
    def value(words: Seq[BigInt], point: Int) = {
      val at = BigInt(numbers(key).getLong(8 * point)) & Modulus
      words.reduce((sum, word) => (sum * at + word) mod Modulus)
    }
    (0 until 3).map(i => value(terms.map(value(_, 2 + i)), 5 + i))
  }

  private def numbers(size: Int): ByteBuffer = numbers(new Array[Byte](size))

  private def numbers(bytes: Array[Byte]): ByteBuffer =
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
}
