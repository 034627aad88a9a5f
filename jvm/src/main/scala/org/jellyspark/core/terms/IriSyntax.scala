package org.jellyspark.core.terms

import java.util.regex.Pattern

/** The syntax of IRIs in RFC 3987, which is narrower than the grammars of RDF's syntaxes. */
private[jellyspark] object IriSyntax {
  // Character classes; `ucschar` and `iprivate` of the RFC.
  private val Ucs = "\\x{A0}-\\x{D7FF}\\x{F900}-\\x{FDCF}\\x{FDF0}-\\x{FFEF}" +
    (1 to 0xe).map { plane =>
      val first = if (plane == 0xe) 0xe1000 else plane << 16
      f"\\x{$first%X}-\\x{${(plane << 16) + 0xfffd}%X}"
    }.mkString
  private val Private = "\\x{E000}-\\x{F8FF}\\x{F0000}-\\x{FFFFD}\\x{100000}-\\x{10FFFD}"
  private val Name = s"A-Za-z0-9._~!$$&'()*+,;=%$Ucs-"
  private val Path = s"$Name:@/"

  private val Hex = "[0-9A-Fa-f]"
  private val H16 = s"$Hex{1,4}"
  private val Byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
  private val Ls32 = s"(?:$H16:$H16|$Byte(?:\\.$Byte){3})"
  // The groups of 16 bits before and after `::`, in the order of the RFC.
  private val Ipv6 = (
    Seq(s"(?:$H16:){6}$Ls32", s"::(?:$H16:){5}$Ls32", s"(?:$H16)?::(?:$H16:){4}$Ls32") ++
      (1 to 3).map(n => s"(?:(?:$H16:){0,$n}$H16)?::(?:$H16:){${3 - n}}$Ls32") ++
      Seq(
        s"(?:(?:$H16:){0,4}$H16)?::$Ls32",
        s"(?:(?:$H16:){0,5}$H16)?::$H16",
        s"(?:(?:$H16:){0,6}$H16)?::"
      )
  ).mkString("|")
  private val Host =
    s"(?:\\[(?:$Ipv6|[vV]$Hex+\\.[A-Za-z0-9._~!$$&'()*+,;=:-]+)\\]|[$Name]*)"

  // Nothing in it repeats a group without a limit, for which Java would need the stack.
  private val Iri = Pattern.compile(
    s"(?![^<>\"]*%(?!$Hex{2}))[A-Za-z][A-Za-z0-9+.-]*:" +
      s"(?://(?:[$Name:]*@)?$Host(?::[0-9]*)?(?![^/?#>])|(?!//))" +
      s"[$Path]*(?:\\?[$Path?$Private]*)?(?:#[$Path?]*)?"
  )

  /** Whether a text is an absolute IRI of RFC 3987. */
  def isIri(text: String): Boolean = Iri.matcher(text).matches()

  /** Whether the term `bytes[from, to)` is no IRI and has no datatype, or surely has an IRI that
    * [[isIri]] allows: one of ASCII characters that are allowed everywhere.
    */
  def isPlain(bytes: Array[Byte], from: Int, to: Int): Boolean =
    if (bytes(to - 1) != '>') true
    else {
      var at = to - 1
      while (bytes(at) != '<') at -= 1
      // A literal's, or the whole term. `<<( )>>` has other brackets inside.
      (at == from || bytes(from) == '"') && isPlainIri(bytes, at + 1, to - 1)
    }

  private def isPlainIri(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i < to && bytes(i) != ':') i += 1
    i += 1
    if (i + 1 < to && bytes(i) == '/' && bytes(i + 1) == '/') {
      i += 2
      while (i < to && isHost(bytes(i))) i += 1
      if (i < to && bytes(i) != '/') return false
    }
    var fragments = 0
    while (i < to && isPlain(bytes(i))) {
      if (bytes(i) == '#') fragments += 1
      i += 1
    }
    i == to && fragments <= 1
  }

  private def isHost(b: Byte): Boolean = isLetterOrDigit(b) || b == '.' || b == '-'

  private def isPlain(b: Byte): Boolean = b > 0 && plain(b.toInt)

  private val plain: Array[Boolean] = Array.tabulate(128) { b =>
    isLetterOrDigit(b.toByte) || "._~!$&'()*+,;=:@/?#-".indexOf(b) >= 0
  }

  private def isLetterOrDigit(b: Byte): Boolean =
    (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9')
}
