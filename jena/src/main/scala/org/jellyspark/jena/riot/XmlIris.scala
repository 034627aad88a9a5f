package org.jellyspark.jena.riot

import java.io.{ByteArrayInputStream, InputStream, SequenceInputStream}
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.{Arrays, Enumeration}
import java.util.regex.{Matcher, Pattern}

/** Marks, in the attributes of RDF/XML that have IRIs, what Jena's parser would refuse.
  *
  * All of the text is searched: other text that looks like such attributes gets marks, too. Bytes
  * are taken for characters, as those that are looked for are ASCII.
  */
private[riot] object XmlIris {
  private val Name = "\\b(?:about|resource|datatype|base)[ \\t\\r\\n]*=[ \\t\\r\\n]*"
  private val Attribute = Pattern.compile(Name + "(?:\"([^\"<]*)\"|'([^'<]*)')")
  // An attribute that goes on in the next block.
  private val Open =
    Pattern.compile("[A-Za-z]*[ \\t\\r\\n]*(?:=[ \\t\\r\\n]*(?:\"[^\"<]*|'[^'<]*)?)?")
  private val Unusual = Pattern.compile("[\\x00-\\x20{}|^`\\\\\\[\\]]|%|#[^#]*#")

  private final val BlockSize = 1 << 14
  // Longer attributes are not looked at.
  private final val MaxOpen = 1 << 16

  /** The document with marks. */
  def marked(in: InputStream, marks: Marks): InputStream =
    new SequenceInputStream(new Blocks(in, marks))

  private final class Blocks(in: InputStream, marks: Marks) extends Enumeration[InputStream] {
    private[this] var held = ""
    private[this] var hasEnded = false

    override def hasMoreElements(): Boolean = !hasEnded

    override def nextElement(): InputStream = {
      val bytes = new Array[Byte](BlockSize)
      val count = in.read(bytes)
      hasEnded = count < 0
      val text = held + new String(Arrays.copyOf(bytes, math.max(count, 0)), ISO_8859_1)
      val end = if (hasEnded) text.length else openFrom(text)
      held = text.substring(end)
      new ByteArrayInputStream(mark(text.substring(0, end)).getBytes(ISO_8859_1))
    }

    private def mark(text: String): String =
      Attribute.matcher(text).replaceAll { found =>
        val attribute = found.group
        val value = if (found.group(1) == null) found.group(2) else found.group(1)
        // A number of a character has a `#`, too, and a quote would not be escaped in an XML literal.
        val marked =
          if (!Unusual.matcher(value).find() || value.contains("&#") || value.contains("\""))
            attribute
          else {
            val start = attribute.length - value.length - 1
            attribute.substring(0, start) + marks.iri(value.replaceAll("[\\t\\r\\n]", " ")) +
              attribute.last
          }
        Matcher.quoteReplacement(marked)
      }
  }

  /** Where the attribute begins that may go on after the text; its end if there is none. */
  private def openFrom(text: String): Int = {
    // Before a quote or a name that is not complete.
    val quote = Seq(text.lastIndexOf('"'.toInt), text.lastIndexOf('\''.toInt), 0).max
    val starts = Seq(nameBefore(text, text.length), nameBefore(text, quote))
    starts
      .filter(start => start >= text.length - MaxOpen && isOpen(text, start))
      .minOption
      .getOrElse(text.length)
  }

  private def isOpen(text: String, start: Int): Boolean =
    Open.matcher(text).region(start, text.length).matches()

  /** Where the name begins of an attribute whose value begins at an index. */
  private def nameBefore(text: String, value: Int): Int = {
    var i = value
    while (i > 0 && (isSpace(text.charAt(i - 1)) || text.charAt(i - 1) == '=')) i -= 1
    while (i > 0 && Character.isLetter(text.charAt(i - 1)) && text.charAt(i - 1) < 0x80) i -= 1
    i
  }

  private def isSpace(c: Char): Boolean = c == ' ' || c == '\t' || c == '\r' || c == '\n'
}
