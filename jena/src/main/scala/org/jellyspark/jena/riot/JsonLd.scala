package org.jellyspark.jena.riot

import java.io.{ByteArrayInputStream, InputStream, StringReader}
import java.lang.{StringBuilder => JavaStringBuilder}
import java.nio.charset.StandardCharsets
import java.util.{HashMap, HashSet, LinkedList}
import java.util.logging.{Level, Logger}

import com.apicatalog.jsonld.{JsonLdError, JsonLdErrorCode, JsonLdOptions}
import com.apicatalog.jsonld.uri.UriValidationPolicy
import jakarta.json.Json
import jakarta.json.stream.{JsonLocation, JsonParsingException}
import jakarta.json.stream.JsonParser.Event
import org.apache.jena.riot.lang.LangJSONLD11
import org.apache.jena.riot.system.ErrorHandler
import org.apache.jena.sparql.util.Context

import org.jellyspark.core.terms.{BaseDirection, Literal}
import org.jellyspark.text.TurtleNames.isAbsolute

/** Sets up Jena's parser of JSON-LD. */
private[riot] object JsonLd {
  // By default, it logs a warning for each node that JSON-LD tells it to leave out. A field, because
  // Java would forget a logger that nobody refers to, and its level.
  private[this] val log = Logger.getLogger("com.apicatalog.jsonld")
  log.setLevel(Level.OFF)

  // The datatype for a base direction, before the language and the direction (JSON-LD 1.1, section
  // 4.2.4.1).
  private val I18n = "https://www.w3.org/ns/i18n#"

  /** Makes a parser fetch nothing, keep base directions, and leave the checks of absolute IRIs to
    * us: it would leave out statements with those that `java.net.URI` does not allow.
    */
  def configure(context: Context): Unit = {
    val options = new JsonLdOptions((_, _) => throw new JsonLdError(RemoteContext))
    options.setUriValidation(UriValidationPolicy.SchemeOnly)
    options.setRdfDirection(JsonLdOptions.RdfDirection.I18N_DATATYPE)
    context.set(LangJSONLD11.JSONLD_OPTIONS, options)
  }

  /** Reads and checks JSON: Jena's parser takes no notice of what comes after the first value, and
    * of all but the last of several values with the same key.
    *
    * @param errors
    *   gets the errors
    */
  def checked(in: InputStream, errors: ErrorHandler): Json = {
    val bytes = in.readAllBytes()
    val all = new HashSet[String]
    var hasKeyword = false
    var events = 0
    val parser = Parsers.createParser(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8)
    def fail(message: String, at: JsonLocation): Unit =
      errors.fatal(message, at.getLineNumber, at.getColumnNumber)
    // The keys of the objects around; null for arrays.
    val keys = new LinkedList[HashSet[String]]
    try
      while (parser.hasNext) {
        val event = parser.next()
        events += 1
        if (event == Event.KEY_NAME || event == Event.VALUE_STRING)
          hasKeyword ||= parser.getString.startsWith("@")
        event match {
          case Event.START_OBJECT                 => keys.push(new HashSet)
          case Event.START_ARRAY                  => keys.push(null)
          case Event.END_OBJECT | Event.END_ARRAY => keys.pop()
          case Event.KEY_NAME                     =>
            val key = parser.getString
            all.add(key)
            if (!keys.peek.add(key))
              fail("an object has the same key twice", parser.getLocation)
          case _ =>
        }
        if (keys.size > MaxDepth)
          throw new InputError(s"JSON that is nested at most $MaxDepth deep", "too many levels")
      }
    catch { case e: JsonParsingException => fail(e.getMessage, e.getLocation) }
    new Json(bytes, all, hasKeyword || events <= 2)
  }

  /** Checked JSON.
    *
    * @param keys
    *   all keys, which include the prefixes of compact IRIs
    * @param isJsonLd
    *   whether it has a keyword of JSON-LD, or nothing at all
    */
  final class Json(val bytes: Array[Byte], val keys: HashSet[String], val isJsonLd: Boolean)

  // A reference that begins with `//` keeps only the scheme of a base.
  private final val NoBaseScheme = "x-jelly-spark:"
  private final val NoBase = NoBaseScheme + "//none/"

  /** Whether an IRI was made of a relative one without a base. */
  def isWithoutBase(iri: String): Boolean = iri.startsWith(NoBaseScheme)

  // JSON literals are in canonical form, with their keys in order, so marks would change them.
  private val JsonLiteral = "\"@json\""
  // With it, statements with relative IRIs would be left out.
  private val NullBase = "(\"@base\"\\s*:\\s*)null".r
  // Strings that stay as they are: keywords, what looks like one, and values of `@direction`.
  private val Keyword = "@[A-Za-z]+".r
  private val PlainTag = "[a-z]{2,8}".r

  /** JSON for Jena's parser, with the base and the marks in it.
    *
    * @param marks
    *   nothing where the JSON has no marks
    */
  final class Input(val json: InputStream, val base: String, val marks: Option[Marks])

  /** Marks JSON: Jena's parser makes language tags lower-case, leaves out statements with IRIs and
    * tags that are not valid, and does not resolve relative IRIs as RFC 3986 says.
    *
    * @param base
    *   the base; empty if there is none
    */
  def marked(json: Json, base: String): Input = {
    val keys = json.keys
    val text = new String(json.bytes, StandardCharsets.UTF_8)
    if (text.contains(JsonLiteral)) {
      if (NullBase.findFirstIn(text).nonEmpty)
        throw new InputError(
          "JSON-LD with a base, or without JSON literals",
          "both @json and no base"
        )
      new Input(new ByteArrayInputStream(json.bytes), if (base.isEmpty) NoBase else base, None)
    } else {
      val marks =
        new Marks(Iterator.continually(Marks.token(TokenSize)).find(!text.contains(_)).get)
      // A prefix must stay as it is in compact IRIs.
      val prefixes = new HashSet[String]
      rewritten(text) { (_, string) =>
        val end = string.indexOf(':')
        if (end >= 0) {
          val start = string.substring(0, end)
          if (start != "." && start != ".." && isPrefix(start, keys)) prefixes.add(start)
        }
        string
      }
      val known = new HashMap[String, String]
      def isWhole(string: String) =
        prefixes.contains(string) || isAbsolute(string) || isCompact(string, keys)
      val found = rewritten(text) {
        // It would have no bytes without its escape, and is an error later.
        case (_, string) if hasLoneSurrogate(string) => string
        case ("@base", string) => if (string.isEmpty) string else marks.base(string)
        case (_, string @ (PlainTag() | Keyword()))       => string
        case ("@language", string)                        => marks.string(string)
        case (_, string) if isWhole(string)               => marks.iri(string)
        case ("@vocab", string) if !keys.contains(string) => marks.start(string)
        case (_, string) => known.computeIfAbsent(string, marks.relative(_))
      }
      val based = NullBase.replaceAllIn(found, s"$$1\"${marks.base("")}\"")
      val bytes = based.getBytes(StandardCharsets.UTF_8)
      new Input(new ByteArrayInputStream(bytes), marks.base(base), Some(marks))
    }
  }

  /** Whether a string is a blank node, or a prefix and the rest of an IRI. */
  private def isCompact(string: String, keys: HashSet[String]): Boolean = {
    val end = string.indexOf(':')
    end >= 0 && isPrefix(string.substring(0, end), keys)
  }

  private def isPrefix(start: String, keys: HashSet[String]): Boolean =
    start == "_" || (keys.contains(start) && !start.exists("/?#".contains(_)))

  /** Valid JSON with other strings, which need no escapes.
    *
    * @param change
    *   gets the key of a string that is the value of one, or an empty string, and the string
    */
  private def rewritten(text: String)(change: (String, String) => String): String = {
    val out = new JavaStringBuilder
    var at = 0
    var key = ""
    var start = text.indexOf('"'.toInt)
    while (start >= 0) {
      var end = start + 1
      var hasEscapes = false
      while (text.charAt(end) != '"') {
        if (text.charAt(end) == '\\') {
          hasEscapes = true
          end += 1
        }
        end += 1
      }
      val string =
        if (hasEscapes) unescaped(text.substring(start, end + 1))
        else text.substring(start + 1, end)
      val changed = change(key, string)
      if (changed != string || (hasEscapes && string == "@base")) {
        out.append(text, at, start + 1).append(changed)
        at = end
      }
      start = text.indexOf('"'.toInt, end + 1)
      key = if (start >= 0 && isColon(text, end + 1, start)) string else ""
    }
    out.append(text, at, text.length).toString
  }

  /** Whether a part of JSON is a colon with white space. */
  private def isColon(text: String, from: Int, until: Int): Boolean =
    (from until until).forall(i => " \t\r\n:".contains(text.charAt(i)))

  private def unescaped(string: String): String = {
    val parser = Parsers.createParser(new StringReader(s"[$string]"))
    parser.next()
    parser.next()
    parser.getString
  }

  private final val TokenSize = 5

  private val Parsers = Json.createParserFactory(null)

  private final val MaxDepth = 200

  /** The code of the error about a remote context. */
  private val RemoteContext = JsonLdErrorCode.LOADING_REMOTE_CONTEXT_FAILED

  /** Whether a message of the parser is about a remote context. */
  def isAboutRemoteContext(message: String): Boolean = message.contains(RemoteContext.name)

  /** Whether a string of JSON has what other syntaxes cannot hold. */
  def hasLoneSurrogate(text: String): Boolean = text.codePoints.anyMatch { c =>
    c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE
  }

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
