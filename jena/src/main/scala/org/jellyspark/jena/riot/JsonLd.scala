package org.jellyspark.jena.riot

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.charset.StandardCharsets
import java.util.{HashSet, LinkedList}
import java.util.logging.{Level, Logger}

import com.apicatalog.jsonld.{JsonLdError, JsonLdErrorCode, JsonLdOptions}
import jakarta.json.Json
import jakarta.json.stream.{JsonLocation, JsonParsingException}
import jakarta.json.stream.JsonParser.Event
import org.apache.jena.riot.lang.LangJSONLD11
import org.apache.jena.riot.system.ErrorHandler
import org.apache.jena.sparql.util.Context

import org.jellyspark.core.terms.{BaseDirection, Literal}

/** Sets up Jena's parser of JSON-LD. */
private[riot] object JsonLd {
  // By default, it logs a warning for each node that JSON-LD tells it to leave out. A field, because
  // Java would forget a logger that nobody refers to, and its level.
  private[this] val log = Logger.getLogger("com.apicatalog.jsonld")
  log.setLevel(Level.OFF)

  // The datatype for a base direction, before the language and the direction (JSON-LD 1.1, section
  // 4.2.4.1).
  private val I18n = "https://www.w3.org/ns/i18n#"

  /** Makes a parser fetch nothing, and keep base directions. */
  def configure(context: Context): Unit = {
    val options = new JsonLdOptions((_, _) => throw new JsonLdError(RemoteContext))
    options.setRdfDirection(JsonLdOptions.RdfDirection.I18N_DATATYPE)
    context.set(LangJSONLD11.JSONLD_OPTIONS, options)
  }

  /** Reads and checks JSON: Jena's parser takes no notice of what comes after the first value, and
    * of all but the last of several values with the same key.
    *
    * @param errors
    *   gets the errors
    * @return
    *   the bytes that were read
    */
  def checked(in: InputStream, errors: ErrorHandler): InputStream = {
    val bytes = in.readAllBytes()
    val parser = Parsers.createParser(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8)
    def fail(message: String, at: JsonLocation): Unit =
      errors.fatal(message, at.getLineNumber, at.getColumnNumber)
    // The keys of the objects around; null for arrays.
    val keys = new LinkedList[HashSet[String]]
    try
      while (parser.hasNext) {
        val event = parser.next()
        event match {
          case Event.START_OBJECT                 => keys.push(new HashSet)
          case Event.START_ARRAY                  => keys.push(null)
          case Event.END_OBJECT | Event.END_ARRAY => keys.pop()
          case Event.KEY_NAME                     =>
            if (!keys.peek.add(parser.getString))
              fail("an object has the same key twice", parser.getLocation)
          case _ =>
        }
        if (keys.size > MaxDepth)
          throw new InputError(s"JSON that is nested at most $MaxDepth deep", "too many levels")
      }
    catch { case e: JsonParsingException => fail(e.getMessage, e.getLocation) }
    new ByteArrayInputStream(bytes)
  }

  private val Parsers = Json.createParserFactory(null)

  private final val MaxDepth = 200

  /** The code of the error about a remote context. */
  private val RemoteContext = JsonLdErrorCode.LOADING_REMOTE_CONTEXT_FAILED

  /** Whether a message of the parser is about a remote context. */
  def isAboutRemoteContext(message: String): Boolean = message.contains(RemoteContext.name)

  /** A literal with the base direction that is in its datatype. */
  def withDirection(literal: Literal): Literal =
    if (literal.datatype == null || !literal.datatype.startsWith(I18n)) literal
    else {
      val at = literal.datatype.lastIndexOf('_')
      val language = literal.datatype.substring(I18n.length, math.max(at, I18n.length))
      val direction = literal.datatype.substring(at + 1)
      if (language.isEmpty || !BaseDirection.all(direction)) literal
      else Literal.tagged(literal.lex, BaseDirection.join(language, direction))
    }
}
