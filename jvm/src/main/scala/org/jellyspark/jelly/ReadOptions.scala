package org.jellyspark.jelly

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.{OptionParser, RowFormat}

/** Options for reading a Jelly stream.
  *
  * @param maxNameTableSize
  *   the largest name table that a stream may declare, in entries
  * @param maxPrefixTableSize
  *   the largest prefix table that a stream may declare, in entries
  * @param maxDatatypeTableSize
  *   the largest datatype table that a stream may declare, in entries
  * @param strict
  *   whether to also enforce rules of the specification that Jelly-JVM does not enforce
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

  /** Parses the options.
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
