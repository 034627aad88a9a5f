package org.jellyspark.source

import org.jellyspark.core.formats.{OptionValue, RowFormat}

/** What a read does with malformed input: a value of the option `mode`. */
sealed abstract class ReadMode(name: String) extends OptionValue(name)

object ReadMode {

  /** It fails the job. */
  case object FailFast extends ReadMode("FAILFAST")

  /** It is dropped: the row, or in formats that cannot skip a row all to the next place from which
    * reading needs nothing before it, at the latest the file's end.
    */
  case object DropMalformed extends ReadMode("DROPMALFORMED")

  /** It is a row without values, whose text is in a column of its own. */
  case object Permissive extends ReadMode("PERMISSIVE")

  /** The modes in which a format can be read. */
  def valuesFor(format: RowFormat): List[ReadMode] =
    List(FailFast, DropMalformed) ++ Option.when(format.canSkipRows)(Permissive)
}
