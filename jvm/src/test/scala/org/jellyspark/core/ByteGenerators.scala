package org.jellyspark.core

import scala.util.Random

import org.scalacheck.Gen

/** Random bytes, and random damage. */
object ByteGenerators {

  /** Changes up to three random bytes of a copy. */
  def damaged(bytes: Array[Byte], random: Random): Array[Byte] = {
    val copy = bytes.clone()
    if (copy.nonEmpty) {
      (0 to random.nextInt(3)).foreach { _ =>
        copy(random.nextInt(copy.length)) = random.nextInt(256).toByte
      }
    }
    copy
  }

  /** Up to 60 bytes, some of them delimiters, control characters or not ASCII. */
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
