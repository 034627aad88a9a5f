package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.formats.{OptionParser, OptionValue}

/** The syntax of RDF Patch to write: a value of the option `style`. */
sealed abstract class Style(name: String) extends OptionValue(name)

object Style {

  /** The current syntax, as Jena writes it. */
  case object Jena extends Style("jena")

  /** The syntax of the first version, with prefixed names, and with `R` for repeated terms. */
  case object V1 extends Style("v1")

  val values: List[Style] = List(Jena, V1)
}

/** The options for writing RDF Patch. */
final case class RdfPatchOptions(style: Style = Style.Jena)

object RdfPatchOptions {
  val StyleKey = "style"

  /** Parses the options of a write. Names and values are case-insensitive. Unknown names are
    * ignored.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid; the message lists the valid ones
    */
  def apply(options: Map[String, String]): RdfPatchOptions =
    RdfPatchOptions(new OptionParser(options).oneOf(StyleKey, Style.values, Style.Jena))
}
