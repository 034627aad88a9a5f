package org.jellyspark.core

import org.scalacheck.Gen

/** Random bytes, of which some are what loops over bytes look for. */
object ByteGenerators {

  val bytes: Gen[Array[Byte]] = for {
    odd <- Gen.oneOf(0, 1, 5)
    byte = Gen.frequency(
      20 -> Gen.choose('a', 'z').map(_.toByte),
      odd -> Gen.oneOf("\u0000\t\n\r \u001f!\"'<>\\]{~\u007f").map(_.toByte),
      odd -> Gen.choose(-128, -1).map(_.toByte)
    )
    length <- Gen.choose(0, 60)
    bytes <- Gen.listOfN(length, byte)
  } yield bytes.toArray
}
