package org.jellyspark.jena.riot

import org.apache.hadoop.fs.Path

import org.jellyspark.OptionException
import org.jellyspark.core.formats.OptionValue
import org.jellyspark.source.files.Compression

/** A syntax of RDF data: a value of the option `syntax`.
  *
  * @param title
  *   its name in messages
  * @param jenaName
  *   the name of Jena's language. Jena reads N3 as Turtle.
  * @param extensions
  *   the extensions of its files, with the dot
  */
private[riot] sealed abstract class Syntax(
    name: String,
    val title: String,
    val jenaName: String,
    val extensions: String*
) extends OptionValue(name)

private[riot] object Syntax {
  case object Turtle extends Syntax("turtle", "Turtle", "Turtle", ".ttl", ".turtle")
  case object TriG extends Syntax("trig", "TriG", "TriG", ".trig")
  case object N3 extends Syntax("n3", "N3", "Turtle", ".n3")
  case object RdfXml extends Syntax("rdfxml", "RDF/XML", "RDF/XML", ".rdf", ".owl", ".rdfs", ".xml")
  case object JsonLd extends Syntax("jsonld", "JSON-LD", "JSON-LD", ".jsonld", ".json")

  /** All syntaxes. */
  val all: Seq[Syntax] = Seq(Turtle, TriG, N3, RdfXml, JsonLd)

  // Binary files of RDF data that users may try to read.
  private val Hdt = ".hdt"

  /** Finds the syntax of a file by its extension.
    *
    * @throws org.jellyspark.OptionException
    *   if the extension does not tell the syntax, or the file is HDT
    */
  def of(file: String): Syntax = {
    val path = new Path(file)
    val name = path.getName.stripSuffix(Compression.of(path).extension)
    if (name.endsWith(Hdt))
      throw new OptionException(
        s"$file: HDT cannot be read: convert it to N-Triples first, for example with hdt2rdf of " +
          "hdt-cpp or hdt2rdf.sh of hdt-java"
      )
    all.find(_.extensions.exists(name.endsWith)).getOrElse {
      throw new OptionException(
        s"the extension of '$file' does not tell the syntax: give the option syntax, one of: " +
          all.mkString(", ")
      )
    }
  }
}
