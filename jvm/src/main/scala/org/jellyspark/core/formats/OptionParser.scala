package org.jellyspark.core.formats

import java.util.Locale

import org.jellyspark.OptionException

/** A value of an option that has a fixed list of values.
  *
  * @param name
  *   the value as users write it
  */
abstract class OptionValue(val name: String) extends Serializable {
  override def toString: String = name
}

/** Parses options by name. Names are case-insensitive, and so are values except text. Each method
  * returns `default` if the option is not set.
  *
  * The methods throw an [[org.jellyspark.OptionException]] if the value is not valid.
  */
final class OptionParser(options: Map[String, String]) {
  import OptionParser.{fail, wholeNumber}

  private[this] val byName = options.map { case (name, value) => lower(name) -> value }

  /** Returns the element of `values` that the option names. */
  def oneOf[V <: OptionValue](name: String, values: Seq[V], default: V): V =
    trimmed(name).fold(default) { text =>
      values
        .find(value => lower(value.name) == lower(text))
        .getOrElse(fail(name, text, "one of: " + values.mkString(", ")))
    }

  /** Parses `true` or `false`. */
  def boolean(name: String, default: Boolean): Boolean =
    trimmed(name).fold(default) { text =>
      lower(text) match {
        case "true"  => true
        case "false" => false
        case _       => fail(name, text, "one of: true, false")
      }
    }

  /** Returns any text unchanged. */
  def text(name: String, default: String): String = get(name).getOrElse(default)

  /** Parses an integer from `min` to `max`, both inclusive. */
  def within(name: String, min: Int, max: Int, default: Int): Int =
    within(name, min.toLong, max.toLong, default.toLong).toInt

  /** Like the other `within`, for 64-bit integers. */
  def within(name: String, min: Long, max: Long, default: Long): Long =
    trimmed(name).fold(default) { text =>
      text.toLongOption
        .filter(number => number >= min && number <= max)
        .getOrElse(fail(name, text, wholeNumber(min, max)))
    }

  private def trimmed(name: String): Option[String] = get(name).map(_.trim)

  private def get(name: String): Option[String] = byName.get(lower(name))

  private def lower(text: String): String = text.toLowerCase(Locale.ROOT)
}

object OptionParser {

  /** Checks an integer that was set in code rather than as an option.
    *
    * @throws org.jellyspark.OptionException
    *   if it is not from `min` to `max`, both inclusive
    */
  def check(name: String, value: Long, min: Long, max: Long): Unit =
    if (value < min || value > max) fail(name, value.toString, wholeNumber(min, max))

  private def wholeNumber(min: Long, max: Long): String = s"a whole number from $min to $max"

  /** The error for a value that is not valid.
    *
    * @param expected
    *   what the value must be
    */
  def invalid(name: String, text: String, expected: String): OptionException =
    new OptionException(s"$name must be $expected; not '$text'")

  private def fail(name: String, text: String, expected: String): Nothing =
    throw invalid(name, text, expected)
}
