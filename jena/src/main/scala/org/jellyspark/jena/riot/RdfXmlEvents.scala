package org.jellyspark.jena.riot

import org.xml.sax.{Attributes, ContentHandler, ErrorHandler, Locator}
import org.xml.sax.ext.Attributes2
import org.xml.sax.helpers.{AttributesImpl, XMLFilterImpl}

/** Passes the events of an XML parser on to RIOT, with what RIOT does not do as RDF/XML says.
  *
  * XML literals become literals with a datatype, in canonical form. Attributes that old files have
  * without a prefix, such as `about`, get the namespace of RDF (RDF 1.1 XML Syntax, section 6.1.4).
  * IRIs in attributes get marks for what RIOT would refuse.
  *
  * @param countDefaults
  *   gets the number of characters that defaults of attributes add to the document
  */
private[riot] final class RdfXmlEvents(
    riot: ContentHandler with ErrorHandler,
    marks: Marks,
    countDefaults: Long => Unit
) extends XMLFilterImpl {
  import RdfXmlEvents._

  setContentHandler(riot)
  setErrorHandler(riot)

  private[this] var locator: Locator = _
  // The XML literal that has not ended, or null.
  private[this] var literal: XmlLiteral = _

  /** The line that has been reached, from 1. */
  def line: Int = locator.getLineNumber

  /** The column that has been reached, from 1. */
  def column: Int = locator.getColumnNumber

  /** Takes a comment. */
  def comment(text: String): Unit = if (literal != null) literal.addComment(text)

  override def setDocumentLocator(found: Locator): Unit = {
    locator = found
    super.setDocumentLocator(found)
  }

  override def startPrefixMapping(prefix: String, uri: String): Unit =
    if (literal == null) super.startPrefixMapping(prefix, uri)

  override def endPrefixMapping(prefix: String): Unit =
    if (literal == null) super.endPrefixMapping(prefix)

  override def startElement(
      uri: String,
      localName: String,
      name: String,
      attributes: Attributes
  ): Unit = {
    countDefaults(defaultsIn(attributes))
    if (literal != null) literal.start(uri, name, attributes)
    else {
      val all = marked(qualified(attributes))
      val parseType = all.getIndex(Rdf, "parseType")
      if (parseType < 0 || all.getValue(parseType) != "Literal")
        super.startElement(uri, localName, name, all)
      else {
        val changed = new AttributesImpl(all)
        changed.setAttribute(parseType, Rdf, "datatype", "rdf:datatype", "CDATA", XmlLiteralType)
        super.startElement(uri, localName, name, changed)
        literal = new XmlLiteral
      }
    }
  }

  private def marked(attributes: Attributes): Attributes = {
    val found = (0 until attributes.getLength).filter(i => hasIri(attributes, i))
    val values = found.map { i =>
      val value = attributes.getValue(i)
      // RIOT takes all datatypes, and Jena keeps them.
      if (attributes.getLocalName(i) == "datatype") marks.iri(value) else marks.reference(value)
    }
    if (found.map(attributes.getValue) == values) attributes
    else {
      val changed = new AttributesImpl(attributes)
      found.zip(values).foreach { case (i, value) => changed.setValue(i, value) }
      changed
    }
  }

  override def endElement(uri: String, localName: String, name: String): Unit =
    if (literal != null && !literal.isComplete) literal.end()
    else {
      if (literal != null) {
        val text = literal.text.toCharArray
        super.characters(text, 0, text.length)
        literal = null
      }
      super.endElement(uri, localName, name)
    }

  override def characters(chars: Array[Char], start: Int, length: Int): Unit =
    if (literal != null) literal.addText(new String(chars, start, length))
    else super.characters(chars, start, length)

  override def ignorableWhitespace(chars: Array[Char], start: Int, length: Int): Unit =
    characters(chars, start, length)

  override def processingInstruction(target: String, data: String): Unit =
    if (literal != null) literal.addInstruction(target, data)
}

private object RdfXmlEvents {
  private final val Rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private final val XmlLiteralType = Rdf + "XMLLiteral"
  private final val Xml = "http://www.w3.org/XML/1998/namespace"
  private val Unqualified = Set("about", "ID", "resource", "parseType", "type")
  private val Iris = Set("about", "resource", "datatype", "type")

  /** Whether the value of an attribute is an IRI. */
  private def hasIri(attributes: Attributes, at: Int): Boolean = {
    val name = attributes.getLocalName(at)
    attributes.getURI(at) match {
      case Rdf => Iris(name)
      case Xml => name == "base"
      case _   => false
    }
  }

  /** The number of characters of attributes that are in the DTD only. */
  private def defaultsIn(attributes: Attributes): Long = attributes match {
    case all: Attributes2 =>
      var size = 0L
      var i = 0
      while (i < all.getLength) {
        if (!all.isSpecified(i)) size += all.getQName(i).length + all.getValue(i).length
        i += 1
      }
      size
    case _ => 0
  }

  private def qualified(attributes: Attributes): Attributes = {
    val found = (0 until attributes.getLength).filter(i => Unqualified(attributes.getQName(i)))
    if (found.isEmpty) attributes
    else {
      val changed = new AttributesImpl(attributes)
      found.foreach { i =>
        val name = attributes.getQName(i)
        changed.setAttribute(i, Rdf, name, s"rdf:$name", "CDATA", attributes.getValue(i))
      }
      changed
    }
  }
}
