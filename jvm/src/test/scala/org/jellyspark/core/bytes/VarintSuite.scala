package org.jellyspark.core.bytes

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite
import org.jellyspark.jelly.WireBytes

class VarintSuite extends PropertySuite {
  private val numbers = Gen.oneOf(Gen.choose(0L, 300L), Gen.long)

  test("numbers of up to 64 bits are read") {
    forAll(numbers, Gen.choose(0, 3)) { (number, at) =>
      val bytes = new Array[Byte](at) ++ WireBytes.varint(number)
      val size = Varint.sizeAt(bytes, at, bytes.length)
      assert(size == bytes.length - at)
      assert(Varint.valueAt(bytes, at, size) == number)
      (at until bytes.length).foreach { end =>
        assert(Varint.sizeAt(bytes, at, end) == Varint.Incomplete)
      }
    }
  }

  test("a number may be padded to ten bytes, but not to more") {
    def padded(size: Int) = Array.fill[Byte](size - 1)(0x80.toByte) :+ 0.toByte
    assert(Varint.sizeAt(padded(10), 0, 10) == 10)
    assert(Varint.valueAt(padded(10), 0, 10) == 0)
    assert(Varint.sizeAt(padded(11), 0, 11) == Varint.Incomplete)
  }

  test("numbers of 32 bits are written") {
    forAll(Gen.oneOf(Gen.choose(0, 300), Gen.choose(Int.MinValue, Int.MaxValue))) { number =>
      val expected = WireBytes.varint(number & 0xffffffffL)
      val bytes = new Array[Byte](Varint.MaxSize32)
      assert(Varint.put(number, bytes, 0) == expected.length)
      assert(bytes.take(expected.length).toSeq == expected.toSeq)
      assert(Varint.sizeOf(number) == expected.length)
    }
  }
}
