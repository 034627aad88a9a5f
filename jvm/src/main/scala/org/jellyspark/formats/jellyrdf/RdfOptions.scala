package org.jellyspark.formats.jellyrdf

import org.jellyspark.OptionException
import org.jellyspark.core.formats.{OptionParser, OptionValue}
import org.jellyspark.jelly.{StreamOptions, TermOptions}

/** What the rows of a stream are (Jelly-RDF, "Physical stream types"); `number` is on the wire. */
sealed abstract class PhysicalType(name: String, val number: Int) extends OptionValue(name)

object PhysicalType {
  case object Triples extends PhysicalType("TRIPLES", 1)
  case object Quads extends PhysicalType("QUADS", 2)

  /** Triples between the start and the end of their graph. */
  case object Graphs extends PhysicalType("GRAPHS", 3)

  val values: Seq[PhysicalType] = Seq(Triples, Quads, Graphs)
}

/** What the frames of a stream are (Jelly-RDF, "Logical stream types"); `number` is on the wire.
  */
sealed abstract class LogicalType(name: String, val number: Int) extends OptionValue(name) {
  import LogicalType._

  /** The base type: the one of the number's last digit. */
  final def base: LogicalType = baseOf(number)

  /** Whether each frame is an element of the stream, a graph or a dataset. */
  final def isGrouped: Boolean = base == Graphs || base == Datasets

  /** Whether a stream of this physical type can be of this one. */
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

  /** The type whose frames mean nothing. */
  def flat(physical: PhysicalType): LogicalType =
    if (physical == PhysicalType.Triples) FlatTriples else FlatQuads

  /** The type with a number; for one of a later version, its base type ("Version compatibility and
    * base types").
    */
  def ofNumber(number: Int): Option[LogicalType] = values
    .find(_.number == number)
    .orElse(Option.when(number >= 10)(baseOf(number)).filter(_ != Unspecified))

  private def baseOf(number: Int): LogicalType =
    values.find(_.number == number % 10).getOrElse(Unspecified)
}

/** How a Jelly-RDF stream is written; the defaults are those of Jelly-JVM's stream writer for Jena.
  *
  * @param streamName
  *   any text
  * @param frameSize
  *   rows (lookup and options rows included) after which a frame ends, where frames mean nothing;
  *   in the logical types that group statements, a frame is an element
  * @param delimited
  *   whether frames are written with their length; if not, all rows make one frame
  * @param namespaces
  *   whether there may be namespaces, which need version 2 of the format
  * @param restartInterval
  *   bytes after which a frame begins that can be read without those before it, in delimited
  *   output; 0: never
  * @throws org.jellyspark.OptionException
  *   if a number is out of bounds, or the logical type does not fit the physical type
  */
final case class RdfOptions(
    physicalType: PhysicalType = PhysicalType.Quads,
    logicalType: LogicalType = LogicalType.FlatQuads,
    streamName: String = "",
    terms: TermOptions = TermOptions(),
    frameSize: Int = 256,
    delimited: Boolean = true,
    namespaces: Boolean = false,
    restartInterval: Long = StreamOptions.DefaultRestartInterval
) {
  StreamOptions.checkFrameSize(frameSize)
  StreamOptions.checkRestartInterval(restartInterval)
  if (!logicalType.fits(physicalType)) {
    val fitting = LogicalType.values.filter(_.fits(physicalType)).mkString(", ")
    throw new OptionException(
      s"${RdfOptions.LogicalTypeKey} of $physicalType must be one of: $fitting; not '$logicalType'"
    )
  }

  /** The version of Jelly-RDF that the stream needs. */
  def version: Int = if (namespaces) RdfOptions.NamespacesVersion else RdfOptions.Version
}

object RdfOptions {

  /** The version of Jelly-RDF without namespaces. */
  val Version = 1

  /** The version with namespaces, the highest that this codec implements. */
  val NamespacesVersion = 2

  val PhysicalTypeKey = "physicalType"
  val LogicalTypeKey = "logicalType"
  val StreamNameKey = "streamName"
  val NamespacesKey = "namespaces"

  /** Options from their names, which [[org.jellyspark.core.OptionParser]] reads; other names are
    * left to others.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def apply(options: Map[String, String]): RdfOptions = {
    val parser = new OptionParser(options)
    val default = RdfOptions()
    val physical = parser.oneOf(PhysicalTypeKey, PhysicalType.values, default.physicalType)
    RdfOptions(
      physical,
      parser.oneOf(LogicalTypeKey, LogicalType.values, LogicalType.flat(physical)),
      parser.text(StreamNameKey, default.streamName),
      TermOptions.parse(parser),
      StreamOptions.frameSize(parser, default.frameSize),
      StreamOptions.delimited(parser),
      namespaces(parser),
      StreamOptions.restartInterval(parser)
    )
  }

  /** Options of a physical type, where frames mean nothing. */
  def of(physical: PhysicalType): RdfOptions =
    RdfOptions(physicalType = physical, logicalType = LogicalType.flat(physical))

  /** Whether namespaces are rows; an option of reading too. */
  private[jellyrdf] def namespaces(parser: OptionParser): Boolean =
    parser.boolean(NamespacesKey, default = false)
}
