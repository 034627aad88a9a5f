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

/** The kinds of a term, numbered in the order of the fields that each position of RdfTriple has. */
private[jellyspark] object TermKind {
  final val Iri = 0
  final val BlankNode = 1
  final val Literal = 2
  final val Triple = 3

  /** Only occurs as a graph. */
  final val DefaultGraph = 4

  /** The kind of a graph term. The fields of a graph are in a different order: IRI, blank node,
    * default graph, literal.
    *
    * @param place
    *   the index of the field in that order, from 0
    */
  def ofGraph(place: Int): Int = place match {
    case 2 => DefaultGraph
    case 3 => Literal
    case _ => place
  }
}
