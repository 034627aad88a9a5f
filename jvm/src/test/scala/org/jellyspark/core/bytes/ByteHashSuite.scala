package org.jellyspark.core.bytes

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite

class ByteHashSuite extends PropertySuite {

  test("a change of one byte changes the hash") {
    forAll(Gen.choose(1, 40), Gen.choose(0, 39), Gen.choose(1, 255)) { (length, place, change) =>
      val bytes = Array.tabulate(length)(i => (i * 7).toByte)
      val other = bytes.clone
      other(place % length) = (other(place % length) ^ change).toByte
      assert(ByteHash.of(bytes, 0, length) != ByteHash.of(other, 0, length))
      assert(ByteHash.of(0.toByte +: bytes, 1, length + 1) == ByteHash.of(bytes, 0, length))
    }
    // 4096 hashes in 8192 places: random ones take 3223 of them.
    val places = (0 until 4096).map { n =>
      val name = s"<http://example.org/product/$n>".getBytes
      ByteHash.of(name, 0, name.length) & 0x1fff
    }
    assert(places.distinct.size > 2900)
  }

  test("keys with equal hashes by one factor have different ones by another") {
    val keys = (1L to 100L).map { first =>
      val bytes = new Array[Byte](2 * Swar.Size)
      Swar.store(first, bytes, 0)
      // Takes back what the first word changed.
      Swar.store(ByteHash.mix(bytes.length.toLong, first) ^ 7, bytes, Swar.Size)
      bytes
    }
    assert(keys.map(key => ByteHash.of(key, 0, key.length)).distinct.size == 1)
    val factor = ByteHash.newFactor()
    assert(keys.map(key => ByteHash.of(key, 0, key.length, factor)).distinct.size > 90)
  }
}
