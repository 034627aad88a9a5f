package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.formats.{OptionParser, OptionValue}

/** The syntax that RDF Patch is written in. */
sealed abstract class Style(name: String) extends OptionValue(name)

object Style {

  /** Today's, as Jena writes it. */
  case object Jena extends Style("jena")

  /** The first version's: prefixed names, and `R` for a term that is repeated. */
  case object V1 extends Style("v1")

  val values: List[Style] = List(Jena, V1)
}

/** How RDF Patch is written. */
final case class RdfPatchOptions(style: Style = Style.Jena)

object RdfPatchOptions {
  val StyleKey = "style"

  /** Options by their names, which are case-insensitive, as are their values; others are left to
    * others.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def apply(options: Map[String, String]): RdfPatchOptions =
    RdfPatchOptions(new OptionParser(options).oneOf(StyleKey, Style.values, Style.Jena))
}
