package org.jellyspark.formats.jellyrdf

import org.jellyspark.OptionException
import org.jellyspark.core.formats.{OptionParser, OptionValue}
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.{StreamOptions, TermOptions}

/** The kind of a stream's statement rows (Jelly-RDF, "Physical stream types").
  *
  * @param number
  *   the value in the stream options
  */
sealed abstract class PhysicalType(name: String, val number: Int) extends OptionValue(name)

object PhysicalType {
  case object Triples extends PhysicalType("TRIPLES", 1)
  case object Quads extends PhysicalType("QUADS", 2)

  /** Triples, between rows that start and end the graph they belong to. */
  case object Graphs extends PhysicalType("GRAPHS", 3)

  val values: Seq[PhysicalType] = Seq(Triples, Quads, Graphs)
}

/** The meaning of a stream's frames (Jelly-RDF, "Logical stream types").
  *
  * @param number
  *   the value in the stream options
  */
sealed abstract class LogicalType(name: String, val number: Int) extends OptionValue(name) {
  import LogicalType._

  /** The base type, whose number is the last digit of this type's number. */
  final def base: LogicalType = baseOf(number)

  /** Whether each frame is one graph or dataset. */
  final def isGrouped: Boolean = base == Graphs || base == Datasets

  /** Whether a stream with a physical type can have this logical type. */
  final def fits(physical: PhysicalType): Boolean =
    if (physical == PhysicalType.Triples) base != FlatQuads && base != Datasets
    else base != FlatTriples && base != Graphs
}

object LogicalType {
  case object Unspecified extends LogicalType("UNSPECIFIED", 0)
  case object FlatTriples extends LogicalType("FLAT_TRIPLES", 1)
  case object FlatQuads extends LogicalType("FLAT_QUADS", 2)
  case object Graphs extends LogicalType("GRAPHS", 3)
  case object Datasets extends LogicalType("DATASETS", 4)
  case object SubjectGraphs extends LogicalType("SUBJECT_GRAPHS", 13)
  case object NamedGraphs extends LogicalType("NAMED_GRAPHS", 14)
  case object TimestampedNamedGraphs extends LogicalType("TIMESTAMPED_NAMED_GRAPHS", 114)

  val values: Seq[LogicalType] = Seq(
    Unspecified,
    FlatTriples,
    FlatQuads,
    Graphs,
    Datasets,
    SubjectGraphs,
    NamedGraphs,
    TimestampedNamedGraphs
  )

  /** The logical type in which frames have no meaning. */
  def flat(physical: PhysicalType): LogicalType =
    if (physical == PhysicalType.Triples) FlatTriples else FlatQuads

  /** Returns the logical type with a number, or its base type if the number belongs to a later
    * version of the format (Jelly-RDF, "Version compatibility and base types").
    */
  def ofNumber(number: Int): Option[LogicalType] = values
    .find(_.number == number)
    .orElse(Option.when(number >= 10)(baseOf(number)).filter(_ != Unspecified))

  private def baseOf(number: Int): LogicalType =
    values.find(_.number == number % 10).getOrElse(Unspecified)
}

/** The options for writing Jelly-RDF. The defaults are those of Jelly-JVM's stream writer for Jena.
  *
  * @param physicalType
  *   the kind of the statement rows
  * @param logicalType
  *   the meaning of the frames; it must fit the physical type
  * @param streamName
  *   any text
  * @param terms
  *   the sizes of the lookup tables and the kinds of terms
  * @param frameSize
  *   the number of rows after which a frame ends, including lookup and options rows, at least 1;
  *   with grouped logical types, a frame is a graph or dataset of any size
  * @param delimited
  *   whether each frame is preceded by its length; if not, all rows are in one frame
  * @param namespaces
  *   whether namespace declarations are allowed; they need version 2 of the format
  * @param restartInterval
  *   the number of bytes after which delimited output gets a restart point; 0 for none
  * @param indexColumns
  *   the columns whose terms readers can look up in the index of restart points, to skip restart
  *   ranges: any of subject, predicate, object and graph
  * @param indexFilterBits
  *   the number of bits in the index for each term of such a column in a restart range, 4 to 32
  * @throws org.jellyspark.OptionException
  *   if a number is out of range, or the logical type does not fit the physical type
  */
final case class JellyRdfOptions(
    physicalType: PhysicalType = PhysicalType.Quads,
    logicalType: LogicalType = LogicalType.FlatQuads,
    streamName: String = "",
    terms: TermOptions = TermOptions(),
    frameSize: Int = 256,
    delimited: Boolean = true,
    namespaces: Boolean = false,
    restartInterval: Long = StreamOptions.DefaultRestartInterval,
    indexColumns: Set[Column] = Set.empty,
    indexFilterBits: Int = StreamOptions.DefaultFilterBits
) extends StreamOptions {
  checkNumbers()
  if (!logicalType.fits(physicalType)) {
    val fitting = LogicalType.values.filter(_.fits(physicalType)).mkString(", ")
    throw new OptionException(
      s"${JellyRdfOptions.LogicalTypeKey} for ${JellyRdfOptions.PhysicalTypeKey} $physicalType " +
        s"must be one of: $fitting; not '$logicalType'"
    )
  }

  /** The version of Jelly-RDF that a stream with these options needs. */
  def version: Int = if (namespaces) JellyRdfOptions.NamespacesVersion else JellyRdfOptions.Version
}

object JellyRdfOptions {

  /** The first version of Jelly-RDF, without namespace declarations. */
  val Version = 1

  /** The version with namespace declarations, which is the latest that this codec supports. */
  val NamespacesVersion = 2

  val PhysicalTypeKey = "physicalType"
  val LogicalTypeKey = "logicalType"
  val StreamNameKey = "streamName"
  val NamespacesKey = "namespaces"

  /** The names of the options. */
  val Keys: Seq[String] = Seq(PhysicalTypeKey, LogicalTypeKey, StreamNameKey, NamespacesKey) ++
    StreamOptions.Keys ++ TermOptions.Keys

  /** Parses the options of a write. Names and values are case-insensitive. Unknown names are
    * ignored.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid; the message lists the valid ones
    */
  def apply(options: Map[String, String]): JellyRdfOptions = {
    val parser = new OptionParser(options)
    val default = JellyRdfOptions()
    val physical = parser.oneOf(PhysicalTypeKey, PhysicalType.values, default.physicalType)
    JellyRdfOptions(
      physical,
      parser.oneOf(LogicalTypeKey, LogicalType.values, LogicalType.flat(physical)),
      parser.text(StreamNameKey, default.streamName),
      TermOptions.parse(parser),
      StreamOptions.frameSize(parser, default.frameSize),
      StreamOptions.delimited(parser),
      namespaces(parser),
      StreamOptions.restartInterval(parser),
      StreamOptions.indexColumns(parser),
      StreamOptions.indexFilterBits(parser)
    )
  }

  /** The default options for a physical type, with frames that have no meaning. */
  def of(physical: PhysicalType): JellyRdfOptions =
    JellyRdfOptions(physicalType = physical, logicalType = LogicalType.flat(physical))

  /** Parses the option `namespaces`, which reads also have. */
  private[jellyspark] def namespaces(parser: OptionParser): Boolean =
    parser.boolean(NamespacesKey, default = false)
}
