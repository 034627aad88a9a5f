package org.jellyspark.jelly.decoding

/** The positions of a statement, as indices. */
private[jellyspark] object Position {
  final val Subject = 0
  final val Predicate = 1
  final val Object = 2
  final val Graph = 3

  /** The number of positions of a triple. */
  final val OfTriple = 3

  /** The number of positions of a quad. */
  final val OfQuad = 4
}
