package org.jellyspark.jena.riot

import java.io.{ByteArrayOutputStream, ByteArrayInputStream, InputStream, SequenceInputStream}

import org.apache.jena.util.JenaXMLInput
import org.xml.sax.{Attributes, InputSource, Locator, SAXException}
import org.xml.sax.ext.{DefaultHandler2, Locator2}

/** Checks what comes before the first element of an XML document. */
private[riot] object XmlProlog {

  /** Checks that a document is in UTF-8, and names no other one: its entities would be missing in
    * the rows, because nothing is fetched.
    *
    * @param in
    *   the document; has a limit for what comes before the first row
    * @param fail
    *   throws an error
    * @return
    *   the document from its beginning
    */
  def checked(in: InputStream, fail: InputError => Nothing): InputStream = {
    val read = new Recorder(in)
    val checks = new Checks
    val reader = JenaXMLInput.createXMLReader()
    reader.setContentHandler(checks)
    reader.setErrorHandler(checks)
    reader.setProperty("http://xml.org/sax/properties/lexical-handler", checks)
    reader.setProperty("http://xml.org/sax/properties/declaration-handler", checks)
    // The parser reports all other errors, too, and where they are.
    try reader.parse(new InputSource(read))
    catch { case _: Exception => }
    if (checks.error != null) fail(checks.error)
    new SequenceInputStream(new ByteArrayInputStream(read.bytes.toByteArray), in)
  }

  /** Keeps the bytes that are read. */
  private final class Recorder(in: InputStream) extends InputStream {
    val bytes = new ByteArrayOutputStream

    override def read(): Int = {
      val byte = in.read()
      if (byte >= 0) bytes.write(byte)
      byte
    }

    override def read(to: Array[Byte], from: Int, count: Int): Int = {
      val n = in.read(to, from, count)
      if (n > 0) bytes.write(to, from, n)
      n
    }
  }

  private final class Checks extends DefaultHandler2 {
    var error: InputError = _
    private[this] var locator: Locator = _

    override def setDocumentLocator(found: Locator): Unit = locator = found

    override def startDTD(name: String, publicId: String, systemId: String): Unit =
      if (publicId != null || systemId != null) failExternal()

    override def externalEntityDecl(name: String, publicId: String, systemId: String): Unit =
      failExternal()

    override def startElement(
        uri: String,
        localName: String,
        name: String,
        attributes: Attributes
    ): Unit = {
      locator match {
        case found: Locator2 if !isUtf8(found.getEncoding) =>
          error = new InputError("XML in UTF-8", s"the encoding ${found.getEncoding}")
        case _ =>
      }
      end()
    }

    private def isUtf8(encoding: String): Boolean =
      encoding == null || encoding.equalsIgnoreCase("UTF-8") || encoding.equalsIgnoreCase("UTF8")

    private def failExternal(): Nothing = {
      error = new InputError(
        "XML with its entities in the file, because they are not fetched",
        "an external DTD or entity: put its declarations in its place, or remove it"
      )
      end()
    }

    private def end(): Nothing = throw new SAXException("The prolog has been checked")
  }
}
