package org.jellyspark.jena.riot

/** Resolves relative IRIs, as RFC 3986 says in section 5.2. It checks no characters. */
private[riot] object RelativeIri {
  // Authority, path, query and fragment, as in appendix B.
  private val Pattern =
    java.util.regex.Pattern.compile("(?s)(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?")

  // Dots that a path without a slash begins with (section 5.2.4, A and D).
  private val Leading = java.util.regex.Pattern.compile("(?:\\.\\.?/)*(?:\\.\\.?\\z)?")

  /** The absolute IRI of a relative one.
    *
    * @param base
    *   an absolute IRI
    */
  def resolve(iri: String, base: String): String = {
    val afterScheme = base.indexOf(':') + 1
    val in = components(base.substring(afterScheme))
    val of = components(iri)
    val path = of.path
    val (authority, resolved, query) =
      if (of.authority != null) (of.authority, withoutDots(path), of.query)
      else if (path.startsWith("/")) (in.authority, withoutDots(path), of.query)
      else if (path.nonEmpty) (in.authority, withoutDots(merged(in, path)), of.query)
      else (in.authority, in.path, if (of.query == null) in.query else of.query)
    base.substring(0, afterScheme) + part("//", authority) + resolved + part("?", query) +
      part("#", of.fragment)
  }

  /** The components of an IRI after its scheme. All but the path are null if they are missing. */
  private final case class Components(
      authority: String,
      path: String,
      query: String,
      fragment: String
  )

  private def components(iri: String): Components = {
    val matcher = Pattern.matcher(iri)
    matcher.matches()
    Components(matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4))
  }

  private def part(start: String, text: String): String = if (text == null) "" else start + text

  private def merged(base: Components, path: String): String =
    if (base.authority != null && base.path.isEmpty) s"/$path"
    else base.path.substring(0, base.path.lastIndexOf('/') + 1) + path

  /** A path without the segments `.` and `..`. */
  private def withoutDots(path: String): String = {
    val kept = new StringBuilder
    val start = Leading.matcher(path)
    start.lookingAt()
    var at = start.end
    while (at < path.length) {
      // Each segment begins with its slash, except for the first one of some paths.
      val next = path.indexOf('/', at + 1)
      val end = if (next < 0) path.length else next
      val segment = path.substring(at, end)
      segment.stripPrefix("/") match {
        case "."  => if (next < 0) kept.append('/')
        case ".." =>
          kept.setLength(math.max(kept.lastIndexOf("/"), 0))
          if (next < 0) kept.append('/')
        case _ => kept.append(segment)
      }
      at = end
    }
    kept.toString
  }
}
