package org.jellyspark.jena.riot

import java.util.Vector
import java.util.regex.Pattern

import scala.util.Random

import org.apache.jena.irix.IRIx

import org.jellyspark.core.terms.NTriplesChars
import org.jellyspark.text.TurtleNames

/** Marks in a file for what Jena's parsers of RDF/XML and JSON-LD would refuse, change or leave
  * out.
  *
  * A character that RFC 3987 does not allow in an IRI, or not at its place, becomes `TOKEN5bz`,
  * `TOKENz` stands where a part is empty, and a string that may be a language tag or a relative IRI
  * becomes `x-TOKEN-7z`, where 7 is its number, in hexadecimal digits. Other strings can have such
  * marks, too, and get back what they had.
  *
  * A base becomes an IRI with the scheme `TOKEN` and the mark of the base. What a parser makes of
  * it and the marks of relative bases and IRIs has all of them, to be resolved by `resolved`.
  *
  * @param token
  *   lower-case letters and digits that the file does not have by itself
  */
private[riot] final class Marks(token: String) {
  import Marks._

  private[this] val marked =
    Pattern.compile(s"$token([0-9a-f]*)z|x-$token-([0-9a-f]+)(?:z|y[/?#]?)")
  // How an IRI begins that was made of a marked base, and what ends each base in it.
  private[this] val scheme = s"$token:/"
  private[this] val baseEnd = s"$nothing/"
  // One thread adds, and another one may get.
  private[this] val strings = new Vector[String]

  /** The mark of a string. */
  def string(text: String): String = s"${numbered(text)}z"

  /** The mark of a relative IRI. With such an end, it can be that of a prefix (JSON-LD 1.1 API,
    * section 4.2.2).
    */
  def relative(text: String): String =
    if (text.matches("(?s).*[/?#]")) s"${numbered(text)}y${text.last}" else string(text)

  private def numbered(text: String): String = {
    strings.add(text)
    s"x-$token-${Integer.toHexString(strings.size - 1)}"
  }

  /** The mark of a base: of an absolute one, an empty one, which stands for none, or a relative
    * one.
    */
  def base(text: String): String =
    if (text.isEmpty || TurtleNames.isAbsolute(text)) s"$scheme${string(text)}$baseEnd"
    else s"${string(text)}$baseEnd"

  /** The mark of a relative IRI that is resolved before something is added to it. */
  def start(text: String): String = s"${string(text)}$nothing"

  /** An IRI of the parser without marks, resolved against the bases in it; empty if there is none.
    */
  def resolved(iri: String): String =
    if (!iri.startsWith(scheme)) restore(iri)
    else {
      val parts = iri.substring(scheme.length).split(baseEnd, -1)
      val end = parts.last.indexOf(nothing)
      val reference = if (end < 0) parts.last else parts.last.substring(0, end)
      (parts.init :+ reference).map(restore).reduceLeft { (base, next) =>
        if (base.isEmpty) base else RelativeIri.resolve(next, base)
      } + restore(parts.last.substring(reference.length))
    }

  /** A text with marks of the characters that an IRI cannot hold. */
  def iri(text: String): String = {
    val out = new StringBuilder
    var isInFragment = false
    var i = 0
    while (i < text.length) {
      val c = text.charAt(i)
      val isSecond = c == '#' && isInFragment
      isInFragment ||= c == '#'
      if (isSecond || !isIriChar(c) || (c == '%' && !isPercent(text, i)))
        out.append(character(c))
      else out.append(c)
      i += 1
    }
    out.toString
  }

  /** An IRI reference with marks of all that RIOT's parser of RDF/XML would refuse. It also checks
    * hosts and ports, what single schemes want, and whether characters are for private use.
    */
  def reference(text: String): String = {
    val short = iri(text)
    // RIOT takes `1:a` for an absolute IRI.
    def isAbsolute = TurtleNames.isAbsolute(text)
    // RIOT would remove these, also from an absolute IRI.
    val hasDots = Dots.matcher(text).find()
    if (!hasDots && Plain.matcher(short).matches()) short
    else if (!hasDots && isTaken(short) && (isAbsolute || text.indexOf(':') < 0)) short
    else {
      val afterScheme = if (isAbsolute) text.indexOf(':') + 1 else 0
      // Another scheme, whose IRIs are only those of RFC 3986.
      val scheme = if (isAbsolute) nothing + text.substring(0, afterScheme) else ""
      val hasAuthority = text.startsWith("//", afterScheme)
      val start = if (hasAuthority) afterScheme + 2 else afterScheme
      val end = if (hasAuthority) text.indexWhere("/?#".contains(_), start) else start
      val rest = if (end < 0) text.length else end
      val authority =
        if (hasAuthority) s"//$nothing${keeping(text.substring(start, rest))(isAsciiLetterOrDigit)}"
        else if (rest == text.length) nothing
        else ""
      // A colon in the first segment of a relative path would end a scheme.
      val path = keeping(iri(text.substring(rest))) { c =>
        c < 0x7f && (isAbsolute || c != ':') && !(hasDots && c == '.')
      }
      scheme + authority + path
    }
  }

  private def isTaken(iri: String): Boolean =
    try {
      IRIx.create(iri)
      true
    } catch { case _: RuntimeException => false }

  /** A text with marks of all characters but those that are kept. */
  private def keeping(text: String)(isKept: Char => Boolean): String =
    text.map(c => if (isKept(c)) c.toString else character(c)).mkString

  /** The mark of a character. */
  def character(c: Char): String = s"$token${Integer.toHexString(c.toInt)}z"

  /** A mark of nothing, where a parser wants something. */
  def nothing: String = s"${token}z"

  /** A text of the parser without marks. */
  def restore(text: String): String =
    if (!text.contains(token)) text
    else {
      val matcher = marked.matcher(text)
      val out = new java.lang.StringBuilder
      while (matcher.find()) {
        matcher.appendReplacement(out, "")
        if (matcher.group(1) == null)
          out.append(strings.get(Integer.parseInt(matcher.group(2), 16)))
        else if (matcher.group(1).nonEmpty)
          out.append(Integer.parseInt(matcher.group(1), 16).toChar)
      }
      matcher.appendTail(out).toString
    }
}

private[riot] object Marks {

  /** A random token: one of many characters is in no file. */
  def token(size: Int): String = "j" + Random.alphanumeric.take(size - 1).mkString.toLowerCase

  // What RIOT takes.
  private val Plain = Pattern.compile(
    "(?:https?://(?![^/?#]*\\.\\.)(?!\\.)[A-Za-z0-9.]+(?<!\\.)|(?!//))(?:[/?#][!-~]*)?"
  )

  // Segments of a path that are only dots.
  private val Dots = Pattern.compile("[:/]\\.\\.?(?:[/?#]|\\z)")

  private def isAsciiLetterOrDigit(c: Char): Boolean = c < 0x80 && Character.isLetterOrDigit(c)

  /** Whether an IRI may have a character at any place. */
  private def isIriChar(c: Char): Boolean =
    NTriplesChars.isIriChar(c) && c != '[' && c != ']' &&
      (c < 0x7f || !(Character.isISOControl(c) || Character.isSpaceChar(c)))

  private def isPercent(text: String, at: Int): Boolean =
    at + 2 < text.length && isHex(text.charAt(at + 1)) && isHex(text.charAt(at + 2))

  private def isHex(c: Char): Boolean = c < 0x80 && Character.digit(c, 16) >= 0
}
