package org.jellyspark.core.terms

import org.jellyspark.core.errors.MalformedRowException.{malformed, quoted}

/** The base direction of a literal, as RDF 1.2 has it.
  *
  * In this code it is a part of the language tag, as in N-Triples: `ar--rtl`. So it needs no field
  * in the formats that have none for it.
  */
private[jellyspark] object BaseDirection {

  /** All base directions. */
  val all: Set[String] = Set("ltr", "rtl")

  private val Separator = "--"

  /** Joins a language and a base direction, which may be null, to a language tag. */
  def join(language: String, direction: String): String =
    if (direction == null) language else language + Separator + direction

  /** Whether a language tag has a base direction. */
  def isIn(tag: String): Boolean = tag.contains(Separator)

  /** The base direction in a language tag; null if there is none. */
  def of(tag: String): String = {
    val at = tag.indexOf(Separator)
    if (at < 0) null else tag.substring(at + Separator.length)
  }

  /** A language tag without its base direction. */
  def language(tag: String): String = {
    val at = tag.indexOf(Separator)
    if (at < 0) tag else tag.substring(0, at)
  }

  /** What is expected instead of a language tag whose base direction RDF 1.2 does not allow; null
    * if the tag has none or an allowed one.
    */
  def expectedFor(tag: String): String = tag.indexOf(Separator) match {
    case -1                                              => null
    case 0                                               => "a language tag"
    case at if all(tag.substring(at + Separator.length)) => null
    case _                                               => "a base direction, --ltr or --rtl"
  }

  /** Checks the base direction in a language tag.
    *
    * @return
    *   the tag
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if RDF 1.2 does not allow it
    */
  def check(tag: String): String = {
    val expected = expectedFor(tag)
    if (expected != null) malformed(expected, quoted(tag))
    tag
  }
}
