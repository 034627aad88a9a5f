package org.jellyspark.jelly

import org.jellyspark.core.formats.OptionParser
import org.jellyspark.jelly.wire.{Wire, WireOutput}

/** Options for writing the terms of a Jelly stream. The defaults are those of Jelly-JVM's writers.
  *
  * @param maxNameTableSize
  *   the size of the name table, 8 to 2^20^ entries
  * @param maxPrefixTableSize
  *   the size of the prefix table, 0 to 2^20^ entries; 0 writes IRIs without a prefix
  * @param maxDatatypeTableSize
  *   the size of the datatype table, 0 to 2^20^ entries; 0 allows only literals without a datatype
  * @param rdfStar
  *   whether the stream declares that it uses triple terms
  * @param generalized
  *   whether the stream declares that it uses generalized statements
  * @throws org.jellyspark.OptionException
  *   if a size is out of range
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

  /** Writes these options as fields of the stream options. */
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

  /** The names of the options. */
  val Keys: Seq[String] = TableSize.Keys ++ Seq(RdfStarKey, GeneralizedKey)

  /** Parses the options.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
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

/** The allowed sizes of one of the three lookup tables, in entries.
  *
  * @param table
  *   the name of the table in error messages
  * @param field
  *   the field of the stream options
  * @param min
  *   the smallest size
  */
private[jellyspark] final class TableSize(val table: String, val field: Int, val min: Int) {

  /** The name of the option. */
  val key: String = s"max${table.capitalize}TableSize"

  def parse(parser: OptionParser, default: Int): Int =
    parser.within(key, min, TableSize.Max, default)

  def check(size: Int): Unit =
    OptionParser.check(key, size.toLong, min.toLong, TableSize.Max.toLong)
}

private[jellyspark] object TableSize {

  /** The largest size of any table. Larger tables would not make files smaller. */
  val Max: Int = 1 << 20

  /** The name table. The specifications require at least 8 entries. */
  val Name = new TableSize("name", Wire.Options.MaxNameTableSize, 8)
  val Prefix = new TableSize("prefix", Wire.Options.MaxPrefixTableSize, 0)
  val Datatype = new TableSize("datatype", Wire.Options.MaxDatatypeTableSize, 0)

  /** The names of the options. */
  val Keys: Seq[String] = Seq(Name, Prefix, Datatype).map(_.key)
}
