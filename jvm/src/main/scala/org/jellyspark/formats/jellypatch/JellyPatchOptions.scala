package org.jellyspark.formats.jellypatch

import org.jellyspark.core.formats.{OptionParser, OptionValue}
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.{StreamOptions, TermOptions}

/** What ends the patches of a stream (Jelly-Patch, "Patch stream types").
  *
  * @param number
  *   the value in the stream options
  */
sealed abstract class StreamType(name: String, val number: Int) extends OptionValue(name)

object StreamType {
  case object Frame extends StreamType("FRAME", 1)
  case object Flat extends StreamType("FLAT", 2)
  case object Punctuated extends StreamType("PUNCTUATED", 3)

  val values: Seq[StreamType] = Seq(Punctuated, Frame, Flat)
}

/** Whether statements are triples or quads (Jelly-Patch, "Statement types").
  *
  * @param number
  *   the value in the stream options
  */
sealed abstract class StatementType(name: String, val number: Int) extends OptionValue(name)

object StatementType {
  case object Triples extends StatementType("TRIPLES", 1)
  case object Quads extends StatementType("QUADS", 2)

  val values: Seq[StatementType] = Seq(Quads, Triples)
}

/** The options for writing Jelly-Patch. The defaults are those of Jelly-JVM's RDF Patch writer.
  *
  * @param streamType
  *   what ends a patch
  * @param statementType
  *   whether statements have graphs
  * @param terms
  *   the sizes of the lookup tables and the kinds of terms
  * @param frameSize
  *   the number of rows after which a frame ends, including lookup and options rows, at least 1; in
  *   FRAME streams, a frame is a patch of any size
  * @param delimited
  *   whether each frame is preceded by its length; if not, all rows are in one frame
  * @param restartInterval
  *   the number of bytes after which delimited output gets a restart point; 0 for none
  * @param indexColumns
  *   the columns whose terms readers can look up in the index of restart points, to skip restart
  *   ranges: any of subject, predicate, object and graph
  * @param indexFilterBits
  *   the number of bits in the index for each term of such a column in a restart range, 4 to 32
  * @throws org.jellyspark.OptionException
  *   if a number is out of range
  */
final case class JellyPatchOptions(
    streamType: StreamType = StreamType.Punctuated,
    statementType: StatementType = StatementType.Quads,
    terms: TermOptions = TermOptions(),
    frameSize: Int = 512,
    delimited: Boolean = true,
    restartInterval: Long = StreamOptions.DefaultRestartInterval,
    indexColumns: Set[Column] = Set.empty,
    indexFilterBits: Int = StreamOptions.DefaultFilterBits
) extends StreamOptions {
  checkNumbers()
}

object JellyPatchOptions {

  /** The version of Jelly-Patch that this codec implements. */
  val Version = 1

  val StreamTypeKey = "streamType"
  val StatementTypeKey = "statementType"

  /** The names of the options. */
  val Keys: Seq[String] =
    Seq(StreamTypeKey, StatementTypeKey) ++ StreamOptions.Keys ++ TermOptions.Keys

  /** Parses the options of a write. Names and values are case-insensitive. Unknown names are
    * ignored.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid; the message lists the valid ones
    */
  def apply(options: Map[String, String]): JellyPatchOptions = {
    val parser = new OptionParser(options)
    val default = JellyPatchOptions()
    JellyPatchOptions(
      parser.oneOf(StreamTypeKey, StreamType.values, default.streamType),
      parser.oneOf(StatementTypeKey, StatementType.values, default.statementType),
      TermOptions.parse(parser),
      StreamOptions.frameSize(parser, default.frameSize),
      StreamOptions.delimited(parser),
      StreamOptions.restartInterval(parser),
      StreamOptions.indexColumns(parser),
      StreamOptions.indexFilterBits(parser)
    )
  }
}
