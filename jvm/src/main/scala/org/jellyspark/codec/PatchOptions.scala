package org.jellyspark.codec

/** What delimits the patches of a stream (Jelly-Patch, "Patch stream types"); `number` is on the
  * wire.
  */
sealed abstract class StreamType(name: String, val number: Int) extends OptionValue(name)

object StreamType {
  case object Frame extends StreamType("FRAME", 1)
  case object Flat extends StreamType("FLAT", 2)
  case object Punctuated extends StreamType("PUNCTUATED", 3)

  val values: Seq[StreamType] = Seq(Punctuated, Frame, Flat)
}

/** Whether statements are triples or quads (Jelly-Patch, "Statement types"); `number` is on the
  * wire.
  */
sealed abstract class StatementType(name: String, val number: Int) extends OptionValue(name)

object StatementType {
  case object Triples extends StatementType("TRIPLES", 1)
  case object Quads extends StatementType("QUADS", 2)

  val values: Seq[StatementType] = Seq(Quads, Triples)
}

/** How a Jelly-Patch stream is written; the defaults are those of Jelly-JVM's RDF Patch writer.
  *
  * @param maxNameTableSize
  *   entries of the name lookup, 8 at least
  * @param maxPrefixTableSize
  *   entries of the prefix lookup; 0: IRIs are not split
  * @param maxDatatypeTableSize
  *   entries of the datatype lookup; 0: no typed literals
  * @param frameSize
  *   rows (lookup and options rows included) after which a frame ends, in PUNCTUATED and FLAT
  *   streams
  * @param rdfStar
  *   whether quoted triples may occur
  * @param generalized
  *   whether generalized statements may occur
  * @param delimited
  *   whether frames are written with their length; if not, all rows make one frame
  * @throws org.jellyspark.OptionException
  *   if a size is out of bounds
  */
final case class PatchOptions(
    streamType: StreamType = StreamType.Punctuated,
    statementType: StatementType = StatementType.Quads,
    maxNameTableSize: Int = 4000,
    maxPrefixTableSize: Int = 150,
    maxDatatypeTableSize: Int = 32,
    frameSize: Int = 512,
    rdfStar: Boolean = true,
    generalized: Boolean = true,
    delimited: Boolean = true
) {
  import PatchOptions._

  OptionParser.check(MaxNameTableSizeKey, maxNameTableSize, MinNameTableSize, MaxTableSize)
  OptionParser.check(MaxPrefixTableSizeKey, maxPrefixTableSize, 0, MaxTableSize)
  OptionParser.check(MaxDatatypeTableSizeKey, maxDatatypeTableSize, 0, MaxTableSize)
  OptionParser.check(FrameSizeKey, frameSize, 1, Int.MaxValue)
}

object PatchOptions {

  /** The version of Jelly-Patch that this codec implements. */
  val Version = 1

  /** The least name table that the specification allows. */
  val MinNameTableSize = 8

  /** The biggest lookup, in entries: memory is set aside for all of them. */
  val MaxTableSize: Int = 1 << 20

  val StreamTypeKey = "streamType"
  val StatementTypeKey = "statementType"
  val MaxNameTableSizeKey = "maxNameTableSize"
  val MaxPrefixTableSizeKey = "maxPrefixTableSize"
  val MaxDatatypeTableSizeKey = "maxDatatypeTableSize"
  val FrameSizeKey = "frameSize"
  val RdfStarKey = "rdfStar"
  val GeneralizedKey = "generalized"
  val DelimitedKey = "delimited"

  private[codec] def tableSize(parser: OptionParser, key: String, min: Int, default: Int): Int =
    parser.within(key, min, MaxTableSize, default)

  /** Options from their names, which [[OptionParser]] reads; other names are left to others.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def apply(options: Map[String, String]): PatchOptions = {
    val parser = new OptionParser(options)
    val default = PatchOptions()
    PatchOptions(
      parser.oneOf(StreamTypeKey, StreamType.values, default.streamType),
      parser.oneOf(StatementTypeKey, StatementType.values, default.statementType),
      tableSize(parser, MaxNameTableSizeKey, MinNameTableSize, default.maxNameTableSize),
      tableSize(parser, MaxPrefixTableSizeKey, 0, default.maxPrefixTableSize),
      tableSize(parser, MaxDatatypeTableSizeKey, 0, default.maxDatatypeTableSize),
      parser.within(FrameSizeKey, 1, Int.MaxValue, default.frameSize),
      parser.boolean(RdfStarKey, default.rdfStar),
      parser.boolean(GeneralizedKey, default.generalized),
      parser.boolean(DelimitedKey, default.delimited)
    )
  }
}

/** What a reader puts up with.
  *
  * @param maxNameTableSize
  *   cap on the name table that a stream may ask for, in entries; the other two likewise
  * @param strict
  *   whether the specification's rules on transactions and punctuation, and on graphs in streams of
  *   triples, are errors
  */
final case class ReadOptions(
    maxNameTableSize: Int = 4096,
    maxPrefixTableSize: Int = 1024,
    maxDatatypeTableSize: Int = 256,
    strict: Boolean = false
)

object ReadOptions {
  import PatchOptions._

  val StrictKey = "strict"

  /** As [[PatchOptions.apply(options:Map[String,String])*]], for reading. */
  def apply(options: Map[String, String]): ReadOptions = {
    val parser = new OptionParser(options)
    val default = ReadOptions()
    ReadOptions(
      tableSize(parser, MaxNameTableSizeKey, MinNameTableSize, default.maxNameTableSize),
      tableSize(parser, MaxPrefixTableSizeKey, 0, default.maxPrefixTableSize),
      tableSize(parser, MaxDatatypeTableSizeKey, 0, default.maxDatatypeTableSize),
      parser.boolean(StrictKey, default.strict)
    )
  }
}
