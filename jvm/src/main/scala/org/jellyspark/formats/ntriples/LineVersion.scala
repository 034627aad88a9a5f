package org.jellyspark.formats.ntriples

import org.jellyspark.core.formats.OptionValue

/** A version of RDF that a line `VERSION "1.2"` announces. */
private[ntriples] sealed abstract class LineVersion(name: String) extends OptionValue(name)

private[ntriples] object LineVersion {
  case object Rdf11 extends LineVersion("1.1")
  case object Rdf12 extends LineVersion("1.2")
  case object Basic extends LineVersion("1.2-basic")

  /** The version of the draft RDF Messages, whose streams have lines `MESSAGE`. */
  case object Messages extends LineVersion("1.2-messages")

  val all: Seq[LineVersion] = Seq(Rdf11, Rdf12, Basic, Messages)

  /** What a parser expects instead of a line with an unknown version. */
  val Expected: String = {
    val quoted = all.map(version => s"\"${version.name}\"")
    s"VERSION ${quoted.init.mkString(", ")} or ${quoted.last}"
  }

  /** Whether there is a version with this name. */
  def isKnown(name: String): Boolean = all.exists(_.name == name)
}
