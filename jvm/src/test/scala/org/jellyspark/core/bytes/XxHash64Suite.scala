package org.jellyspark.core.bytes

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite

class XxHash64Suite extends PropertySuite {
  private def hash(text: String): Long = {
    val bytes = text.getBytes
    XxHash64.of(bytes, 0, bytes.length)
  }

  test("the values of the reference implementation") {
    assert(hash("") == 0xef46db3751d8e999L)
    assert(hash("a") == 0xd24ec4f1a98c6e5bL)
    assert(hash("abc") == 0x44bc2cf5ad770999L)
    assert(hash("Nobody inspects the spammish repetition") == 0xfbcea83c8a378bf1L)
  }

  test("only the bytes of the range count") {
    forAll(Gen.choose(0, 100), Gen.choose(0, 9), Gen.choose(0, 9)) { (length, before, after) =>
      val bytes = Array.tabulate(length)(i => (i * 37).toByte)
      val all = Array.fill[Byte](before)(1) ++ bytes ++ Array.fill[Byte](after)(2)
      assert(XxHash64.of(all, before, before + length) == XxHash64.of(bytes, 0, length))
    }
  }
}
