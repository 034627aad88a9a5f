package org.jellyspark.jena.riot

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.{OptionParser, RowFormat}
import org.jellyspark.core.terms.NTriplesChars
import org.jellyspark.text.TurtleNames

/** The options for reading RDF data.
  *
  * @param syntax
  *   the syntax of all files; if it is not given, the extension of each file tells it
  * @param base
  *   the IRI against which relative IRIs are resolved; empty if it is not given
  * @param strict
  *   whether IRIs, language tags and datatypes that RDF 1.2 does not allow are errors
  * @param namespaces
  *   whether prefixes are rows
  * @param rowLimit
  *   the longest row
  */
private[riot] final case class RdfOptions(
    syntax: Option[Syntax],
    base: String,
    strict: Boolean,
    namespaces: Boolean,
    rowLimit: RowLimit
) {

  /** The syntax of a file.
    *
    * @throws org.jellyspark.OptionException
    *   if neither the option nor the extension of the file tells it
    */
  def syntaxOf(file: String): Syntax = syntax.getOrElse(Syntax.of(file))
}

private[riot] object RdfOptions {
  private val SyntaxKey = "syntax"
  private val BaseKey = "base"
  private val NamespacesKey = "namespaces"

  /** The names of the options. */
  val Keys: Seq[String] =
    Seq(SyntaxKey, BaseKey, RowFormat.StrictKey, NamespacesKey, RowFormat.MaxRowSizeKey)

  /** Parses the options of a read.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  def apply(options: Map[String, String]): RdfOptions = {
    val parser = new OptionParser(options)
    val base = parser.text(BaseKey, "")
    if (!(base.isEmpty || (TurtleNames.isAbsolute(base) && base.forall(NTriplesChars.isIriChar))))
      throw OptionParser.invalid(BaseKey, base, "an absolute IRI")
    RdfOptions(
      syntax(parser),
      base,
      RowFormat.strict(parser),
      namespaces(options),
      RowFormat.rowLimit(parser)
    )
  }

  /** Whether prefixes are rows. */
  def namespaces(options: Map[String, String]): Boolean =
    new OptionParser(options).boolean(NamespacesKey, default = false)

  // An empty option is as good as none.
  private def syntax(parser: OptionParser): Option[Syntax] =
    if (parser.text(SyntaxKey, "").trim.isEmpty) None
    else Some(parser.oneOf(SyntaxKey, Syntax.all, Syntax.Turtle))
}
