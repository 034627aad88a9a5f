package org.jellyspark.text

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.core.ByteGenerators.bytes
import org.jellyspark.core.PropertySuite

class ByteClassScannerSuite extends PropertySuite {
  override protected def examples: PosInt = 5000

  test("a scan ends at the first stop byte") {
    Seq(" \t\r\n<>\\", "\"\\\r\n", "'\\\n").foreach { stops =>
      val scanner = new ByteClassScanner(stops)
      forAll(bytes, Gen.choose(0, 8)) { (bytes, from) =>
        val held = bytes :+ 0.toByte
        val start = math.min(from, bytes.length)
        val end = held.indexWhere(b => b == 0 || stops.indexOf(b.toInt) >= 0, start)
        val seen = if (held.slice(start, end).exists(_ < 0)) 1 else 0
        assert(scanner.end(held, start, bytes.length) == end * 2L + seen)
      }
    }
  }
}
