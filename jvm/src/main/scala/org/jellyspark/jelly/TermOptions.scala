package org.jellyspark.jelly

import org.jellyspark.core.formats.OptionParser
import org.jellyspark.jelly.wire.{Wire, WireOutput}

/** How the terms of a Jelly stream are written; the defaults are those of Jelly-JVM's writers.
  *
  * @param maxNameTableSize
  *   entries of the name lookup, 8 at least
  * @param maxPrefixTableSize
  *   entries of the prefix lookup; 0: IRIs are not split
  * @param maxDatatypeTableSize
  *   entries of the datatype lookup; 0: no typed literals
  * @param rdfStar
  *   whether quoted triples may occur
  * @param generalized
  *   whether generalized statements may occur
  * @throws org.jellyspark.OptionException
  *   if a size is out of bounds
  */
final case class TermOptions(
    maxNameTableSize: Int = 4000,
    maxPrefixTableSize: Int = 150,
    maxDatatypeTableSize: Int = 32,
    rdfStar: Boolean = true,
    generalized: Boolean = true
) {
  TableSize.Name.check(maxNameTableSize)
  TableSize.Prefix.check(maxPrefixTableSize)
  TableSize.Datatype.check(maxDatatypeTableSize)

  /** Puts their fields of a stream's options. */
  private[jellyspark] def write(out: WireOutput): Unit = {
    import Wire.{Options => Field}
    out.flag(Field.Generalized, generalized)
    out.flag(Field.RdfStar, rdfStar)
    out.number(Field.MaxNameTableSize, maxNameTableSize)
    out.number(Field.MaxPrefixTableSize, maxPrefixTableSize)
    out.number(Field.MaxDatatypeTableSize, maxDatatypeTableSize)
  }
}

object TermOptions {
  val RdfStarKey = "rdfStar"
  val GeneralizedKey = "generalized"

  /** @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def parse(parser: OptionParser): TermOptions = {
    val default = TermOptions()
    TermOptions(
      TableSize.Name.parse(parser, default.maxNameTableSize),
      TableSize.Prefix.parse(parser, default.maxPrefixTableSize),
      TableSize.Datatype.parse(parser, default.maxDatatypeTableSize),
      parser.boolean(RdfStarKey, default.rdfStar),
      parser.boolean(GeneralizedKey, default.generalized)
    )
  }
}

/** The size of one of the three lookups, in entries. */
private[jellyspark] final class TableSize(val table: String, key: String, val min: Int) {

  def parse(parser: OptionParser, default: Int): Int =
    parser.within(key, min, TableSize.Max, default)

  def check(size: Int): Unit =
    OptionParser.check(key, size.toLong, min.toLong, TableSize.Max.toLong)
}

private[jellyspark] object TableSize {
  // Far more than helps.
  val Max: Int = 1 << 20

  // 8: the least that the specifications allow.
  val Name = new TableSize("name", "maxNameTableSize", 8)
  val Prefix = new TableSize("prefix", "maxPrefixTableSize", 0)
  val Datatype = new TableSize("datatype", "maxDatatypeTableSize", 0)
}
