package org.jellyspark.jena.riot

import java.util.logging.{Level, Logger}

import com.apicatalog.jsonld.{JsonLdError, JsonLdErrorCode, JsonLdOptions}
import org.apache.jena.riot.RDFParserBuilder
import org.apache.jena.riot.lang.LangJSONLD11

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
  def configure(builder: RDFParserBuilder): Unit = {
    val options = new JsonLdOptions((_, _) => throw new JsonLdError(RemoteContext))
    options.setRdfDirection(JsonLdOptions.RdfDirection.I18N_DATATYPE)
    builder.set(LangJSONLD11.JSONLD_OPTIONS, options): Unit
  }

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
