package org.jellyspark.formats.ntriples

import org.jellyspark.core.formats.OptionValue

/** A version of RDF that a line `VERSION "1.2"` announces. */
private[ntriples] final class LineVersion private (name: String) extends OptionValue(name)

private[ntriples] object LineVersion {

  /** The versions of RDF 1.2, and the one of the draft RDF Messages. */
  val all: Seq[LineVersion] =
    Seq("1.1", "1.2", "1.2-basic", "1.2-messages").map(new LineVersion(_))

  /** What a parser expects instead of a line with an unknown version. */
  val Expected: String = {
    val quoted = all.map(version => s"\"$version\"")
    s"VERSION ${quoted.init.mkString(", ")} or ${quoted.last}"
  }

  /** Whether there is a version with this name. */
  def isKnown(name: String): Boolean = all.exists(_.name == name)
}
