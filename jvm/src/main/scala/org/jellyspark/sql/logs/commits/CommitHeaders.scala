package org.jellyspark.sql.logs.commits

import java.util.Locale

import org.jellyspark.{InvalidTermException, OptionException}
import org.jellyspark.sql.{Literal, Term}

/** The headers that a user gives a commit, besides `id` and `prev`, which are made. */
private[commits] object CommitHeaders {
  val Message = "message"
  val Prefix = "header."

  /** Returns the names and terms of headers, by name.
    *
    * @param options
    *   of a write: `message`, a text, and `header.NAME`, a term
    * @param settings
    *   of the session, likewise; options come before them. Settings with other names are ignored
    * @throws org.jellyspark.OptionException
    *   if an option has another name, or a value is not a term
    */
  def of(options: Map[String, String], settings: Map[String, String]): Seq[(String, String)] = {
    options.keys.find(nameOf(_).isEmpty).foreach { key =>
      throw new OptionException(
        s"a commit has no option '$key': its options are $Message and $Prefix followed " +
          "by the name of a header"
      )
    }
    (headersOf(settings) ++ headersOf(options)).toSeq.sorted
  }

  private def headersOf(values: Map[String, String]): Map[String, String] =
    values.flatMap { case (key, value) => nameOf(key).map(_ -> termOf(key, value)) }

  /** The name of the header that a key sets. */
  private def nameOf(key: String): Option[String] = {
    val lower = key.toLowerCase(Locale.ROOT)
    if (lower == Message) Some(Message)
    else
      Option
        .when(lower.startsWith(Prefix))(key.drop(Prefix.length))
        .filter(_.nonEmpty)
  }

  private def termOf(key: String, value: String): String =
    if (key.equalsIgnoreCase(Message)) Literal(value).toNTriples
    else if (Reserved(key.drop(Prefix.length))) {
      throw new OptionException(s"$key cannot be set: each commit has its own")
    } else {
      try Term.parse(value).toNTriples
      catch {
        case e: InvalidTermException =>
          throw new OptionException(s"$key must be a term, such as <urn:x:1>: ${e.getMessage}")
      }
    }

  private val Reserved = Set("id", "prev")
}
