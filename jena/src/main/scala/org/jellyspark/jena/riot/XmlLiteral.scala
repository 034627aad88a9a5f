package org.jellyspark.jena.riot

import org.xml.sax.Attributes

/** Builds the lexical form of an XML literal: exclusive canonical XML, with comments.
  *
  * Elements have the namespaces that they and their attributes use, unless an element around them
  * in the literal has them already. RIOT's own form differs from the canonical one in the order of
  * attributes, in some escapes and in what has no namespace.
  */
private[riot] final class XmlLiteral {
  import XmlLiteral._

  private[this] val result = new StringBuilder
  // The elements that have not ended, innermost first.
  private[this] var open = List.empty[Element]

  /** Whether all elements have ended. */
  def isComplete: Boolean = open.isEmpty

  /** The lexical form. */
  def text: String = result.toString

  /** Adds the start of an element. */
  def start(uri: String, name: String, attributes: Attributes): Unit = {
    val written = (0 until attributes.getLength)
      .map(i => Attribute(attributes, i))
      .filterNot(attribute => attribute.name == "xmlns" || attribute.name.startsWith("xmlns:"))
      .sortBy(attribute => (attribute.uri, attribute.localName))
    val seen = open.headOption.fold(Outside)(_.namespaces)
    val used = (prefixOf(name) -> uri) +:
      written.filter(_.uri.nonEmpty).map(attribute => prefixOf(attribute.name) -> attribute.uri)
    val added = used.toMap.filterNot { case (prefix, uri) => seen.get(prefix).contains(uri) }
    open ::= Element(name, seen ++ added)
    result.append('<').append(name)
    added.toSeq.sorted.foreach { case (prefix, uri) =>
      addAttribute(if (prefix.isEmpty) "xmlns" else s"xmlns:$prefix", uri)
    }
    written.foreach(attribute => addAttribute(attribute.name, attribute.value))
    result.append('>')
  }

  /** Adds the end of the innermost element. */
  def end(): Unit = {
    result.append("</").append(open.head.name).append('>')
    open = open.tail
  }

  /** Adds text. */
  def addText(text: String): Unit = text.foreach {
    case '&'  => result.append("&amp;")
    case '<'  => result.append("&lt;")
    case '>'  => result.append("&gt;")
    case '\r' => result.append("&#xD;")
    case c    => result.append(c)
  }

  /** Adds a comment. */
  def addComment(text: String): Unit = result.append("<!--").append(text).append("-->")

  /** Adds a processing instruction. */
  def addInstruction(target: String, data: String): Unit = {
    result.append("<?").append(target)
    if (data != null && data.nonEmpty) result.append(' ').append(data)
    result.append("?>")
  }

  private def addAttribute(name: String, value: String): Unit = {
    result.append(' ').append(name).append("=\"")
    value.foreach {
      case '&'  => result.append("&amp;")
      case '<'  => result.append("&lt;")
      case '"'  => result.append("&quot;")
      case '\t' => result.append("&#x9;")
      case '\n' => result.append("&#xA;")
      case '\r' => result.append("&#xD;")
      case c    => result.append(c)
    }
    result.append('"')
  }
}

private object XmlLiteral {

  /** An element that has not ended.
    *
    * @param namespaces
    *   the namespaces that it sees in the literal, by their prefixes
    */
  private final case class Element(name: String, namespaces: Map[String, String])

  private final case class Attribute(uri: String, localName: String, name: String, value: String)

  private object Attribute {
    def apply(all: Attributes, i: Int): Attribute =
      Attribute(all.getURI(i), all.getLocalName(i), all.getQName(i), all.getValue(i))
  }

  private val Outside = Map("" -> "", "xml" -> "http://www.w3.org/XML/1998/namespace")

  private def prefixOf(name: String): String = name.substring(0, math.max(name.indexOf(':'), 0))
}
