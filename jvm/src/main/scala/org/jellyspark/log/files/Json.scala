package org.jellyspark.log.files

import scala.jdk.CollectionConverters._
import scala.util.control.{NoStackTrace, NonFatal}

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.{DeserializationFeature, JsonNode, ObjectMapper}

import org.jellyspark.LogException

/** The JSON of a log's own files. */
private[log] object Json {

  /** The version of managed logs that this release reads. */
  final val Version = 1

  /** Thrown if a value does not have the form that it must have. */
  final class MalformedException(what: String) extends Exception(what) with NoStackTrace {
    override def toString: String = getMessage
  }

  private val mapper =
    new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)

  /** Returns what `read` returns, or why it failed. Errors for users are passed on: that a file is
    * of a newer version.
    */
  def attempt[T](read: => T): Either[String, T] =
    try Right(read)
    catch {
      case e: LogException            => throw e
      case e: JsonProcessingException => Left(e.getOriginalMessage)
      case NonFatal(e)                => Left(e.toString)
    }

  /** Parses one value, which takes up all bytes of a range. */
  def parse(bytes: Array[Byte], start: Int, length: Int): JsonNode =
    mapper.readTree(bytes, start, length)

  def parse(bytes: Array[Byte]): JsonNode = parse(bytes, 0, bytes.length)

  /** Checks that an object has certain fields and no others. */
  def checkFields(node: JsonNode, names: Set[String]): Unit =
    check(node.isObject && node.fieldNames.asScala.toSet == names, "the fields", node)

  /** Checks the field `version`.
    *
    * @param name
    *   the name of the file, for messages
    * @throws org.jellyspark.LogException
    *   if the version is newer than this release
    */
  def checkVersion(node: JsonNode, name: String): Unit = {
    val version = node.path("version")
    if (version.isIntegralNumber && version.bigIntegerValue.signum > 0) {
      if (!version.canConvertToInt || version.intValue > Version) {
        throw new LogException(
          s"$name has version $version, and this release of jelly-spark reads version $Version: " +
            "use the release that wrote it, or a later one"
        )
      }
    }
    check(version.isInt && version.intValue == Version, "the version", version)
  }

  /** Returns a JSON string with the escapes that Python's `json.dumps` writes. */
  def quoted(text: String): String = text
    .map {
      case '"'                       => "\\\""
      case '\\'                      => "\\\\"
      case '\n'                      => "\\n"
      case '\r'                      => "\\r"
      case '\t'                      => "\\t"
      case '\f'                      => "\\f"
      case '\b'                      => "\\b"
      case c if c >= ' ' && c <= '~' => c.toString
      case c                         => f"\\u${c.toInt}%04x"
    }
    .mkString("\"", "", "\"")

  def text(node: JsonNode): String = {
    check(node.isTextual, "a string", node)
    node.textValue
  }

  def optionalText(node: JsonNode): Option[String] =
    if (node.isNull) None else Some(text(node))

  def integer(node: JsonNode): Long = {
    check(node.isIntegralNumber && node.canConvertToLong, "an integer", node)
    node.longValue
  }

  /** A position or another number of 18 digits at most. */
  def number(node: JsonNode): Long = {
    val found = integer(node)
    check(found >= 0 && found < Most, "a position", node)
    found
  }

  def items(node: JsonNode): Seq[JsonNode] = {
    check(node.isArray, "an array", node)
    node.asScala.toSeq
  }

  def check(isTrue: Boolean, expected: String, found: Any): Unit =
    if (!isTrue) throw new MalformedException(s"expected $expected, found $found")

  // Larger numbers do not fit the names of files.
  private final val Most = 1000000000000000000L
}
