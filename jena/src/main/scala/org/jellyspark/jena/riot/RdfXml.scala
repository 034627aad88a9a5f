package org.jellyspark.jena.riot

import java.io.{InputStream, UnsupportedEncodingException}
import java.lang.reflect.InvocationTargetException
import javax.xml.parsers.SAXParserFactory

import org.apache.jena.riot.system.{ParserProfile, StreamRDF}
import org.apache.jena.sparql.util.Context
import org.xml.sax.{ContentHandler, ErrorHandler, InputSource, XMLReader}
import org.xml.sax.ext.DefaultHandler2

/** Reads RDF/XML with RIOT's parser, on top of an XML parser with limits of our own.
  *
  * Those of the JDK do not depend on the size of a file, and some are so low in new versions that
  * real files exceed them: JDK 25 allows 100 levels of elements, and 2,500 references to entities.
  */
private[riot] object RdfXml {

  /** The most levels of elements. */
  final val MaxLevels = 1000

  private final val MaxEntities = 5000

  /** Parses a document.
    *
    * @param in
    *   the document, in any encoding that XML can declare
    * @param base
    *   the IRI against which relative IRIs are resolved, unless the document has its own; may be
    *   null
    * @param marks
    *   marks what RIOT would refuse in IRIs
    * @param fail
    *   throws an error
    */
  def read(
      in: InputStream,
      base: String,
      profile: ParserProfile,
      rows: StreamRDF,
      context: Context,
      marks: Marks,
      fail: InputError => Nothing
  ): Unit = {
    val reader = SAXParserFactory.newDefaultNSInstance().newSAXParser().getXMLReader
    val input = new LimitingInput(in, reader)
    val riot =
      newRiotParser(if (base == null) null else marks.reference(base), profile, rows, context)
    lazy val events: RdfXmlEvents =
      new RdfXmlEvents(riot, base, marks, size => if (!input.allowsDefaults(size)) failMultiplied())
    def failMultiplied(): Nothing = {
      val (expected, found) = Multiplied
      fail(new InputError(expected, found, events.line.toLong, events.column.toLong))
    }
    val declarations = new Declarations(events, fail)
    reader.setFeature("http://xml.org/sax/features/namespace-prefixes", true)
    reader.setFeature("http://xml.org/sax/features/external-general-entities", false)
    reader.setFeature("http://xml.org/sax/features/external-parameter-entities", false)
    reader.setContentHandler(events)
    reader.setErrorHandler(events)
    reader.setEntityResolver(declarations)
    reader.setProperty("http://xml.org/sax/properties/lexical-handler", declarations)
    reader.setProperty("http://xml.org/sax/properties/declaration-handler", declarations)
    rows.start()
    try reader.parse(new InputSource(input))
    catch {
      case e: UnsupportedEncodingException =>
        fail(new InputError("XML in a known encoding", s"the encoding ${e.getMessage}"))
    }
    rows.finish()
  }

  /** What is expected, and found, if a DTD makes a document much larger. */
  val Multiplied: (String, String) = (
    "XML whose entities do not multiply its size",
    "entities, or defaults of attributes, that expand to much more"
  )

  /** Whether a message of the XML parser is about the limit for entities. */
  def isAboutEntities(message: String): Boolean =
    message.contains("JAXP00010001") || message.contains("JAXP00010004")

  /** Whether a message of the XML parser is about the limit for levels of elements. */
  def isAboutLevels(message: String): Boolean = message.contains("JAXP00010006")

  // RIOT's parser, as an XML parser sees it.
  private type RiotParser = ContentHandler with ErrorHandler

  /** Creates RIOT's parser. It is not public, and the class that is takes its XML parser, with the
    * JDK's limits, from a field that all users of Jena share.
    */
  private def newRiotParser(
      base: String,
      profile: ParserProfile,
      rows: StreamRDF,
      context: Context
  ): RiotParser = {
    val name = "org.apache.jena.riot.lang.rdfxml.rrx.ParserRRX_SAX"
    val constructor = Class
      .forName(name, true, classOf[ParserProfile].getClassLoader)
      .getDeclaredConstructor(
        classOf[String],
        classOf[ParserProfile],
        classOf[StreamRDF],
        classOf[Context]
      )
    constructor.setAccessible(true)
    try constructor.newInstance(base, profile, rows, context).asInstanceOf[RiotParser]
    catch { case e: InvocationTargetException => throw e.getCause }
  }

  /** Checks the declarations of a DTD, and passes on comments. */
  private final class Declarations(events: RdfXmlEvents, fail: InputError => Nothing)
      extends DefaultHandler2 {
    private[this] var entities = 0

    override def startDTD(name: String, publicId: String, systemId: String): Unit =
      if (publicId != null || systemId != null) failExternal()

    override def externalEntityDecl(name: String, publicId: String, systemId: String): Unit =
      failExternal()

    override def internalEntityDecl(name: String, value: String): Unit = {
      entities += 1
      // The time that the JDK takes for entities in entities grows with the square of their number.
      if (entities > MaxEntities)
        failHere(s"XML with at most $MaxEntities entities", "more of them")
    }

    override def resolveEntity(
        name: String,
        publicId: String,
        baseUri: String,
        systemId: String
    ): InputSource = failExternal()

    override def comment(chars: Array[Char], start: Int, length: Int): Unit =
      events.comment(new String(chars, start, length))

    private def failExternal(): Nothing = failHere(
      "XML with its entities in the file, because they are not fetched",
      "an external DTD or entity: put its declarations in its place, or remove it"
    )

    private def failHere(expected: String, found: String): Nothing =
      fail(new InputError(expected, found, events.line.toLong, events.column.toLong))
  }

  /** Passes on the bytes of a document, and sets limits that depend on their number: nobody needs
    * more entities than a file has bytes, but a few lines can define entities that fill the memory.
    */
  private final class LimitingInput(in: InputStream, reader: XMLReader) extends InputStream {
    import LimitingInput._

    private[this] var size = 0L
    // The size of the defaults of attributes.
    private[this] var defaults = 0L

    Unlimited.foreach(setLimit(_, Int.MaxValue))
    setLimit("maxElementDepth", MaxLevels)
    raise(0)

    override def read(): Int = {
      val byte = in.read()
      if (byte >= 0) raise(1)
      byte
    }

    override def read(to: Array[Byte], from: Int, count: Int): Int = {
      val n = in.read(to, from, count)
      if (n > 0) raise(n)
      n
    }

    /** Adds to the size of the defaults of attributes, and returns whether it is not too much. */
    def allowsDefaults(characters: Long): Boolean = {
      defaults += characters
      defaults <= mostAdded
    }

    private def mostAdded: Long = LeastSize + size * MostGrowth

    private def raise(bytes: Int): Unit = {
      size += bytes
      setLimit("entityExpansionLimit", LeastReferences + size)
      // For the XML parser, 0 is no limit.
      setLimit("totalEntitySizeLimit", math.max(mostAdded - defaults, 1))
    }

    private def setLimit(name: String, value: Long): Unit =
      reader.setProperty(s"jdk.xml.$name", math.min(value, Int.MaxValue).toString)
  }

  private object LimitingInput {
    private final val LeastReferences = 64000L
    private final val LeastSize = 8L << 20 // characters
    private final val MostGrowth = 20L // characters for each byte

    // What these would limit is limited otherwise: rows, and what is between them, have a size.
    private val Unlimited = Seq(
      "maxGeneralEntitySizeLimit",
      "maxParameterEntitySizeLimit",
      "entityReplacementLimit",
      "elementAttributeLimit",
      "maxXMLNameLimit",
      "maxOccurLimit"
    )
  }
}
