package org.jellyspark.source

import org.jellyspark.core.formats.{OptionValue, RowFormat}

/** How a read handles malformed input: a value of the option `mode`. */
sealed abstract class ReadMode(name: String) extends OptionValue(name)

object ReadMode {

  /** Malformed input fails the job. */
  case object FailFast extends ReadMode("FAILFAST")

  /** Malformed input is dropped: the row or, in formats that cannot skip a row, everything up to
    * the next restart point or the end of the file.
    */
  case object DropMalformed extends ReadMode("DROPMALFORMED")

  /** A malformed row becomes a row of nulls, with its text in a separate column. */
  case object Permissive extends ReadMode("PERMISSIVE")

  /** The modes that a format supports. */
  def valuesFor(format: RowFormat): List[ReadMode] =
    List(FailFast, DropMalformed) ++ Option.when(format.canSkipRows)(Permissive)
}
