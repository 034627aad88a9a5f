package org.jellyspark.formats.rdfpatch

import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** What looks at many bytes at once, beside what looks at each. */
class BytesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 5000)

  private val bytes: Gen[Array[Byte]] = for {
    odd <- Gen.oneOf(0, 1, 5)
    byte = Gen.frequency(
      20 -> Gen.choose('a', 'z').map(_.toByte),
      odd -> Gen.oneOf("\u0000\t\n\r \u001f!\"'<>\\]{~\u007f").map(_.toByte),
      odd -> Gen.choose(-128, -1).map(_.toByte)
    )
    length <- Gen.choose(0, 60)
    bytes <- Gen.listOfN(length, byte)
  } yield bytes.toArray

  test("a run ends at the first stop, wherever it begins") {
    Seq(" \t\r\n<>\\", "\"\\\r\n", "'\\\n").foreach { stops =>
      val run = new Run(stops)
      forAll(bytes, Gen.choose(0, 8)) { (bytes, from) =>
        val held = bytes :+ 0.toByte
        val start = math.min(from, bytes.length)
        val end = held.indexWhere(b => b == 0 || stops.indexOf(b.toInt) >= 0, start)
        val seen = if (held.slice(start, end).exists(_ < 0)) 1 else 0
        assert(run.end(held, start, bytes.length) == end * 2L + seen)
      }
    }
  }

  test("UTF-8 is what the JDK takes for it") {
    def isValid(bytes: Array[Byte]): Boolean =
      try {
        UTF_8.newDecoder.decode(ByteBuffer.wrap(bytes))
        true
      } catch { case _: CharacterCodingException => false }
    def check(bytes: Array[Byte]): Unit = {
      assert(Utf8.isValid(bytes, 0, bytes.length) == isValid(bytes))
      assert((Utf8.decode(bytes, 0, bytes.length) != null) == isValid(bytes))
    }
    // Where the standard draws its lines.
    val lines = Seq(0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff)
    for {
      first <- 0 to 255
      second <- lines
      third <- lines
      fourth <- lines.take(3)
      length <- 1 to 4
    } check(Array(first, second, third, fourth).take(length).map(_.toByte))
    forAll(bytes)(check)
  }

  test("every character is encoded as the JDK does, and back") {
    (0 to 0x10ffff).filterNot(c => c >= 0xd800 && c <= 0xdfff).foreach { c =>
      val expected = Character.toString(c).getBytes(UTF_8)
      val out = new Array[Byte](4)
      val isRight = Utf8.encode(c, out, 0) == expected.length && out.startsWith(expected) &&
        Utf8.length(c) == expected.length &&
        Utf8.sequence(expected, 0, expected.length) == expected.length &&
        Utf8.character(expected, 0, expected.length) == c
      if (!isRight) fail(f"U+$c%04X")
    }
  }
}
