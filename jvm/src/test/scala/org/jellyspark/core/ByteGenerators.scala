package org.jellyspark.core

import org.scalacheck.Gen

/** Random bytes, some of which loops over bytes treat specially. */
object ByteGenerators {

  val bytes: Gen[Array[Byte]] = for {
    specials <- Gen.oneOf(0, 1, 5)
    byte = Gen.frequency(
      20 -> Gen.choose('a', 'z').map(_.toByte),
      specials -> Gen.oneOf("\u0000\t\n\r \u001f!\"'<>\\]{~\u007f").map(_.toByte),
      specials -> Gen.choose(-128, -1).map(_.toByte)
    )
    length <- Gen.choose(0, 60)
    bytes <- Gen.listOfN(length, byte)
  } yield bytes.toArray
}
