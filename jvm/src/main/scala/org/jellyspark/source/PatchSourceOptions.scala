package org.jellyspark.source

import org.jellyspark.codec.{OptionParser, OptionValue, ReadOptions}

/** What a reader does with malformed input. */
sealed abstract class ReadMode(name: String) extends OptionValue(name)

object ReadMode {
  case object FailFast extends ReadMode("FAILFAST")
  case object DropMalformed extends ReadMode("DROPMALFORMED")

  val values: List[ReadMode] = List(FailFast, DropMalformed)
}

/** The options of a Spark read, over those of the codec.
  *
  * @param terms
  *   the form of the columns that hold terms
  * @param mode
  *   whether malformed input fails the job, or the rest of its file is dropped
  */
final case class PatchSourceOptions(codec: ReadOptions, terms: TermForm, mode: ReadMode)

object PatchSourceOptions {
  val TermsKey = "terms"
  val ModeKey = "mode"

  /** @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def apply(options: Map[String, String]): PatchSourceOptions = {
    val parser = new OptionParser(options)
    PatchSourceOptions(
      ReadOptions(options),
      parser.oneOf(TermsKey, TermForm.values, TermForm.Text),
      parser.oneOf(ModeKey, ReadMode.values, ReadMode.FailFast)
    )
  }
}
