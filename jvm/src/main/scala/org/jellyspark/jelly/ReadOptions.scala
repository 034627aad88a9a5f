package org.jellyspark.jelly

import org.jellyspark.core.formats.{OptionParser, RowFormat}

/** What a reader of a Jelly stream puts up with.
  *
  * @param maxNameTableSize
  *   cap on the name lookup that a stream may ask for, in entries; the other two likewise
  * @param strict
  *   whether the rules of the specification that the reference does not enforce are errors too
  */
final case class ReadOptions(
    maxNameTableSize: Int = 4096,
    maxPrefixTableSize: Int = 1024,
    maxDatatypeTableSize: Int = 256,
    strict: Boolean = false
)

object ReadOptions {

  /** @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def parse(parser: OptionParser): ReadOptions = {
    val default = ReadOptions()
    ReadOptions(
      TableSize.Name.parse(parser, default.maxNameTableSize),
      TableSize.Prefix.parse(parser, default.maxPrefixTableSize),
      TableSize.Datatype.parse(parser, default.maxDatatypeTableSize),
      RowFormat.strict(parser)
    )
  }
}
