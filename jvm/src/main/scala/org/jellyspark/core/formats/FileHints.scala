package org.jellyspark.core.formats

import java.nio.charset.StandardCharsets.ISO_8859_1

import scala.util.matching.Regex

import org.jellyspark.core.bytes.Varint

/** Guesses from the first bytes of a file what it contains, for errors about files that cannot be
  * read. Guesses are made only after reading has failed, and never influence how a file is read.
  */
object FileHints {

  /** The number of bytes at the beginning of a file that a guess needs. */
  val HeadSize = 512

  /** Describes what a file looks like and what to do about it, if it does not look like the format
    * in which it was read.
    *
    * @param head
    *   the first [[HeadSize]] bytes of the file, or the whole file if it is shorter
    * @param kind
    *   the short name of the format in which the file was read, or a syntax of the format `rdf`
    * @return
    *   the hint; null if the file looks like that format, or if its content is not recognized
    */
  def find(head: Array[Byte], kind: String): String = {
    val text = new String(head, ISO_8859_1)
    Compressed
      .collectFirst {
        case (name, magic, advice) if text.startsWith(magic) =>
          s"this looks like a file compressed with $name: $advice"
      }
      .orElse(NoRdf.collectFirst {
        case (what, advice, start) if isPrefix(text, start) => s"this looks like $what: $advice"
      })
      .orElse(if (isStartOf(text, kind)) Some(null) else None)
      .orElse(if (isPrefix(text, Turtle)) Some(s"this looks like $TurtleTitle") else None)
      .orElse(Formats.collectFirst {
        case (name, (title, _)) if text.nonEmpty && isLike(text, name) =>
          s"this looks like $title: read it with the format $name"
      })
      .orElse(Others.collectFirst {
        case (what, start) if isPrefix(text, start) => s"this looks like $what"
      })
      .orNull
  }

  /** Whether a file with these first bytes begins like a file of the format, or of the syntax. */
  def isStart(head: Array[Byte], kind: String): Boolean =
    isStartOf(new String(head, ISO_8859_1), kind)

  private def isStartOf(text: String, kind: String): Boolean =
    if (OfLines(kind)) isPrefix(text, Statement)
    else
      Syntaxes.get(kind).exists(isPrefix(text, _)) ||
      Formats.exists { case (name, (_, start)) => name == kind && isPrefix(text, start) }

  /** Whether a file read as another format seems to have this one. The row of options of Jelly is
    * as long as the options in it, which lines of a text are not.
    */
  private def isLike(text: String, name: String): Boolean =
    FirstOptions.get(name).fold(isStartOf(text, name)) { tags =>
      List("", Number).exists { length =>
        optionsRow(tags, length)
          .findPrefixMatchOf(text)
          .exists(row => valueOf(row.group(1)) == 1 + row.group(2).length + valueOf(row.group(2)))
      }
    }

  private def valueOf(varint: String): Long =
    Varint.valueAt(varint.getBytes(ISO_8859_1), 0, varint.length)

  private def isPrefix(text: String, start: Regex): Boolean = start.findPrefixOf(text).isDefined

  private val Compressed = List(
    ("gzip", "\u001f\u008b", "give the file the extension .gz, or decompress it first"),
    (
      "zstd",
      "\u0028\u00b5\u002f\u00fd",
      "give the file the extension .zst, or decompress it first"
    ),
    ("bzip2", "BZh", "decompress it first"),
    ("xz", "\u00fd7zXZ\u0000", "decompress it first"),
    ("lz4", "\u0004\u0022\u004d\u0018", "decompress it first")
  )

  // The row with the stream options, which is the first row of a file, up to the tag of the first
  // option. The frame's length may come before it (Jelly-RDF and Jelly-Patch, "Stream options").
  private val Number = """[\x80-\xff]{0,4}[\x00-\x7f]"""
  private def optionsRow(tags: String, length: String = s"(?:$Number)?"): Regex =
    s"(?s)$length\\x0a($Number)\\x0a($Number)[$tags]".r
  private val FirstOptions = Map(
    // The statement type, which every stream has.
    "jelly_patch" -> "\\x08",
    // The stream name or the physical type.
    "jelly_rdf" -> "\\x0a\\x10"
  )

  // A text may begin with a byte order mark, white space and comments.
  private val Blanks = """(?:\xef\xbb\xbf)?(?:[ \t\r\n\f]|#[^\n]*(?:\n|\z))*+"""
  // Versions may also begin Turtle.
  private val Versions = s"""$Blanks(?:VERSION[ \\t]*"[^"\r\n]*"$Blanks)*+"""
  private val TurtleStart = s"$Versions(?i:@?prefix|@?base)[ \\t]"
  private val Iri = """<[^<>\x00-\x20]+>"""
  private val Row = """(?:H|TX|TB|TC|TA|PA|PD|A|D|Z)[ \t\r\n\f.<#"]"""

  // By short name: the title of the format, and a pattern for the beginning of its files.
  private val Formats = List(
    "jelly_patch" -> ("Jelly-Patch", optionsRow(FirstOptions("jelly_patch"))),
    "jelly_rdf" -> ("Jelly-RDF", optionsRow(FirstOptions("jelly_rdf"))),
    // A row code or a prefix after white space and comments, which may fill the whole head.
    "rdf_patch" -> (
      "RDF Patch text",
      s"$Blanks(?:$Row|@prefix\\s|\\z)".r
    ),
    // In the compact protocol: the struct of an H, of an A or D with its first term, or of a PA or
    // PD; or the code of a transaction row and the end of the row.
    "rdf_patch_thrift" -> (
      "RDF Patch in Thrift",
      ("""\x1c\x18|[\x2c\x3c]\x1c[\x1c\x2c\x3c\x4c\x5c\x6c\x7c\x8c\x9c]|[\x4c\x5c][\x1c\x28]""" +
        """|\x65[\x00\x02\x04\x06\x08]\x00""").r
    )
  )

  // The line-based formats begin alike: with a term, or an attempt at one, or with a version, after
  // white space and comments, which may fill the whole head.
  private val OfLines = Set("ntriples", "nquads")
  private val AnyStatement = s"$Iri[ \\t]+$Iri" + """[ \t]+(?:<|_:|")"""
  private val Statement =
    (s"(?!$TurtleStart)$Blanks" +
      """(?:VERSION[ \t]*"|<<|<(?!rdf:RDF)[A-Za-z][A-Za-z0-9+.\-]*:|_:|\z|""" +
      AnyStatement + ")").r

  private val TurtleTitle = "Turtle or TriG: read it with the format rdf"
  // Both Turtle and RDF Patch may begin with prefixes, but only RDF Patch has rows after them.
  private val Directive = """@prefix\s++(?:[^\s<]++\s*+)?<[^<>\s]*+>\s*+\."""
  private val Turtle = s"$Blanks(?=@prefix\\s)(?!(?:$Directive$Blanks)+$Row)".r

  private val Robot =
    "convert it to RDF first, for example with `robot convert --input FILE --output FILE.ttl`"
  // A declaration, comments and instructions.
  private val XmlProlog =
    """(?s)(?:\xef\xbb\xbf)?\s*+(?:<\?(?:(?!\?>).)*+\?>\s*+|<!--(?:(?!-->).)*+-->\s*+)*+"""
  private val FromUtf16 = "convert it to UTF-8 first, for example with iconv"
  // Without a byte order mark, and not XML, which is read in UTF-16.
  private val AsciiInUtf16 =
    ("""(?!\x00?<\x00?(?:[?!]|r\x00?d\x00?f\x00?:))""" +
      """(?:(?:[\t\r\n -~]\x00){8}|(?:\x00[\t\r\n -~]){8})""").r
  // Kinds of files that also begin as some syntax of RDF does.
  private val NoRdf = List(
    ("OWL functional syntax", Robot, s"$Blanks(?:Prefix|Ontology)\\s*\\(".r),
    (
      "OWL in Manchester syntax",
      Robot,
      (Blanks + """(?:Prefix:\s+[\w.\-]*:\s*<|Ontology:\s)""").r
    ),
    (
      "an OBO file",
      Robot,
      """(?:![^\n]*\n|\s)*+(?:format-version:|\[(?:Term|Typedef)\])""".r
    ),
    ("OWL/XML", Robot, (XmlProlog + """<(?:!DOCTYPE\s+)?Ontology\b""").r),
    (
      "an HTML page",
      "download the data, not the page about it",
      s"(?:$XmlProlog|$Blanks)(?i:<!doctype\\s+html|<html)".r
    ),
    (
      "a Git LFS pointer in place of the file",
      "fetch the file with `git lfs pull`",
      """version https://git-lfs\.github\.com/""".r
    ),
    ("a zip archive", "unpack it first, for example with `unzip FILE`", """PK\x03\x04""".r),
    (
      "a 7z archive",
      "unpack it first, for example with `7z x FILE`",
      """7z\xbc\xaf\x27\x1c""".r
    ),
    ("text in UTF-16", FromUtf16, AsciiInUtf16),
    ("a tar archive", "unpack it first, for example with `tar xf FILE`", "(?s).{257}ustar".r)
  )

  private val Utf16 = """\xff\xfe|\xfe\xff"""
  private val XmlStart = s"$Blanks(?:<\\?xml|<rdf:RDF)"
  private val JsonStart = Blanks + """(?:\{[ \t\r\n]*["}]|\[[ \t\r\n]*[\[{"])"""

  // Patterns for the syntaxes of the format rdf. N-Triples and N-Quads begin like Turtle, too.
  private val TurtleLike =
    (s"(?!$XmlStart|$JsonStart)$Versions" +
      """(?:(?i:@?prefix|@?base|graph)\s|<(?!(?i:!doctype|html))|_:|[\[({]|[\w.\-]*:|\z)""").r
  private val Syntaxes = Map(
    "turtle" -> TurtleLike,
    "trig" -> TurtleLike,
    "n3" -> TurtleLike,
    "rdfxml" -> s"$XmlStart|$Utf16".r,
    "jsonld" -> JsonStart.r
  )

  // Patterns for the beginning of other kinds of files.
  private val Others = List(
    "a Parquet file" -> "PAR1".r,
    "an ORC file" -> "ORC".r,
    "an Avro file" -> """Obj\x01""".r,
    "a PDF file" -> "%PDF-".r,
    "an HDT file: convert it to N-Triples first, for example with hdt2rdf" -> """\$HDT""".r,
    s"text in UTF-16: $FromUtf16" -> Utf16.r,
    "XML: if it is RDF/XML, read it with the format rdf and the syntax rdfxml" -> XmlStart.r,
    "JSON: if it is JSON-LD, read it with the format rdf and the syntax jsonld" -> JsonStart.r,
    TurtleTitle -> TurtleStart.r,
    "N-Triples or N-Quads: read it with the format ntriples or nquads" ->
      (Blanks + s"(?:VERSION[ \\t]*\"|(?:$Iri|_:[^ \\t]+)[ \\t]+$Iri" + """[ \t]+(?:<|_:|"))""").r
  )
}
