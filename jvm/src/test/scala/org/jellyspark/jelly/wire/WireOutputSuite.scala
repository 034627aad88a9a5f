package org.jellyspark.jelly.wire

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite
import org.jellyspark.core.bytes.Varint
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.jelly.WireBytes

class WireOutputSuite extends PropertySuite {

  private def written(write: WireOutput => Unit): Seq[Byte] = {
    val out = new WireOutput
    write(out)
    out.toByteArray.toSeq
  }

  private val numbers = Gen.oneOf(Gen.choose(0, 300), Gen.choose(Int.MinValue, Int.MaxValue))

  test("numbers") {
    forAll(numbers) { number =>
      val expected = WireBytes.varint(number & 0xffffffffL).toSeq
      assert(written(_.varint(number)) == expected)
      assert(Varint.sizeOf(number) == expected.length)
      val field = if (number == 0) Nil else WireBytes.number(3, number & 0xffffffffL).toSeq
      assert(written(_.number(3, number)) == field)
      assert(WireOutput.sizeOfNumber(3, number) == field.length)
    }
    assert(written(_.flag(3, value = false)).isEmpty)
    assert(written(_.flag(3, value = true)) == WireBytes.number(3, 1).toSeq)
  }

  test("fields, also with tags of two bytes, and longer than the initial array") {
    forAll(Gen.oneOf(0, 1, 127, 128, 20000), Gen.oneOf(1, 15, 16)) { (length, field) =>
      val content = Array.tabulate(length)(_.toByte)
      val expected = WireBytes.field(field, content).toSeq
      assert(written(_.field(field, content, 0, length)) == expected)
      assert(WireOutput.sizeOf(field, length) == expected.length)
      assert(written(_.message(field)(())) == WireBytes.field(field).toSeq)
      assert(written(out => out.message(field)(out.put(content, 0, length))) == expected)
    }
    assert(written(_.text(1, "")).isEmpty)
    assert(written(_.text(1, "é")) == WireBytes.text(1, "é").toSeq)
  }

  test("an output can be reused") {
    val out = new WireOutput
    out.put(new Array[Byte](5 << 20), 0, 5 << 20)
    out.clear()
    assert(out.size == 0)
    out.varint(7)
    assert(out.toByteArray.toSeq == Seq[Byte](7))
  }

  test("2 GiB are refused before memory is reserved") {
    val out = new WireOutput
    out.varint(1)
    val error = intercept[RefusedException](out.put(Array.emptyByteArray, 0, Int.MaxValue - 8))
    assert(
      error.rule == "a frame must be shorter than 2 GiB: lower frameSize, or end frames sooner"
    )
  }
}
