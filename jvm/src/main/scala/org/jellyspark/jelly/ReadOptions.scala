package org.jellyspark.jelly

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.{OptionParser, RowFormat}

/** Options for reading a Jelly stream.
  *
  * @param maxNameTableSize
  *   the largest name table that a stream may announce, in entries
  * @param maxPrefixTableSize
  *   the largest prefix table, in entries
  * @param maxDatatypeTableSize
  *   the largest datatype table, in entries
  * @param strict
  *   whether rules of the specification that the reference does not enforce are errors too
  * @param rowLimit
  *   the longest row
  */
final case class ReadOptions(
    maxNameTableSize: Int = 4096,
    maxPrefixTableSize: Int = 1024,
    maxDatatypeTableSize: Int = 256,
    strict: Boolean = false,
    rowLimit: RowLimit = RowLimit.Default
)

object ReadOptions {

  /** The names of the options. */
  val Keys: Seq[String] = TableSize.Keys ++ RowFormat.ReadKeys

  /** Reads the options by name.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  def parse(parser: OptionParser): ReadOptions = {
    val default = ReadOptions()
    ReadOptions(
      TableSize.Name.parse(parser, default.maxNameTableSize),
      TableSize.Prefix.parse(parser, default.maxPrefixTableSize),
      TableSize.Datatype.parse(parser, default.maxDatatypeTableSize),
      RowFormat.strict(parser),
      RowFormat.rowLimit(parser)
    )
  }
}
