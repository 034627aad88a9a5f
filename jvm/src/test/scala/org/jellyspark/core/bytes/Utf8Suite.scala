package org.jellyspark.core.bytes

import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.charset.StandardCharsets.UTF_8

import org.scalactic.anyvals.PosInt

import org.jellyspark.core.{ByteGenerators, PropertySuite}

class Utf8Suite extends PropertySuite {
  override protected def examples: PosInt = 5000

  test("bytes are valid if the JDK's decoder accepts them") {
    def isValid(bytes: Array[Byte]): Boolean =
      try {
        UTF_8.newDecoder.decode(ByteBuffer.wrap(bytes))
        true
      } catch { case _: CharacterCodingException => false }
    def check(bytes: Array[Byte]): Unit = {
      assert(Utf8.isValid(bytes, 0, bytes.length) == isValid(bytes))
      assert((Utf8.decode(bytes, 0, bytes.length) != null) == isValid(bytes))
    }
    // The boundaries of the valid ranges in the standard.
    val lines = Seq(0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff)
    for {
      first <- 0 to 255
      second <- lines
      third <- lines
      fourth <- lines.take(3)
      length <- 1 to 4
    } check(Array(first, second, third, fourth).take(length).map(_.toByte))
    forAll(ByteGenerators.bytes)(check)
  }

  test("every character is encoded and decoded as by the JDK") {
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
