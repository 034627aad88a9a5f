package org.jellyspark.jena.riot

import org.xml.sax.{Attributes, ContentHandler, ErrorHandler, Locator}
import org.xml.sax.ext.Attributes2
import org.xml.sax.helpers.{AttributesImpl, XMLFilterImpl}

import org.jellyspark.text.TurtleNames.isAbsolute

/** Passes the events of an XML parser on to RIOT, with what RIOT does not do as RDF/XML says.
  *
  * XML literals become literals with a datatype, in canonical form. Attributes that old files have
  * without a prefix, such as `about`, get the namespace of RDF (RDF 1.1 XML Syntax, section 6.1.4).
  * IRIs in attributes are resolved, and get marks for what RIOT would refuse or change. `rdf:li`
  * becomes `rdf:_1` and so on (section 7.4).
  *
  * @param base
  *   the IRI against which the document's base and IRIs are resolved; null if there is none
  * @param countDefaults
  *   gets the number of characters that defaults of attributes add to the document
  */
private[riot] final class RdfXmlEvents(
    riot: ContentHandler with ErrorHandler,
    base: String,
    marks: Marks,
    countDefaults: Long => Unit
) extends XMLFilterImpl {
  import RdfXmlEvents._

  setContentHandler(riot)
  setErrorHandler(riot)

  private[this] var locator: Locator = _
  // The XML literal that has not ended, or null.
  private[this] var literal: XmlLiteral = _
  // The elements that have not ended, innermost first, and what is around them.
  private[this] var open = List(new Element(base, hasProperties = false))

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
      val parent = open.head
      val all = qualified(attributes)
      val base = Option(all.getValue(Xml, "base")).fold(parent.base)(resolved(_, parent.base))
      val parseType = Option(all.getValue(Rdf, "parseType"))
      val isLiteral = parseType.exists(Literals)
      val changed = rewritten(all, parent.base, base, isLiteral)
      val isProperty = parent.hasProperties
      val hasProperties =
        if (isProperty) parseType.contains("Resource")
        else open.tail.nonEmpty || uri != Rdf || localName != "RDF"
      open ::= new Element(base, hasProperties)
      if (isProperty && uri == Rdf && localName == "li") {
        parent.items += 1
        super.startElement(uri, s"_${parent.items}", name, changed)
      } else super.startElement(uri, localName, name, changed)
      if (isLiteral) literal = new XmlLiteral
    }
  }

  /** Attributes with resolved and marked IRIs, and a datatype in place of `parseType` for a
    * literal.
    */
  private def rewritten(
      attributes: Attributes,
      outerBase: String,
      base: String,
      isLiteral: Boolean
  ): Attributes = {
    val iris = (0 until attributes.getLength).filter(hasIri(attributes, _))
    if (iris.isEmpty && !isLiteral) attributes
    else {
      val changed = new AttributesImpl(attributes)
      iris.foreach { i =>
        val value = attributes.getValue(i)
        val against = if (attributes.getURI(i) == Xml) outerBase else base
        changed.setValue(
          i,
          // RIOT takes all datatypes, and Jena keeps them.
          if (attributes.getLocalName(i) == "datatype") marks.iri(value)
          else marks.reference(resolved(value, against))
        )
      }
      if (isLiteral) {
        val at = attributes.getIndex(Rdf, "parseType")
        changed.setAttribute(at, Rdf, "datatype", "rdf:datatype", "CDATA", XmlLiteralType)
      }
      // RIOT leaves out attributes after this one.
      val types = changed.getIndex(Rdf, "type")
      if (types >= 0) {
        changed.addAttribute(Rdf, "type", "rdf:type", "CDATA", changed.getValue(types))
        changed.removeAttribute(types)
      }
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
      open = open.tail
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
  // RIOT knows the other two.
  private val Literals = Set("Literal", "literal", "Statements")
  private val Iris = Set("about", "resource", "datatype", "type")

  /** An element, or what is around a document.
    *
    * @param hasProperties
    *   whether the elements in it are properties
    */
  private final class Element(val base: String, val hasProperties: Boolean) {

    /** The number of elements `rdf:li` in it so far. */
    var items = 0
  }

  /** An IRI that is resolved, unless there is nothing to resolve it against. */
  private def resolved(iri: String, base: String): String =
    if (base == null || isAbsolute(iri) || !isAbsolute(base)) iri
    else RelativeIri.resolve(iri, base)

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
