package org.jellyspark.formats.jellypatch

import org.jellyspark.core.formats.{OptionParser, OptionValue}
import org.jellyspark.jelly.{StreamOptions, TermOptions}

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
  * @param frameSize
  *   rows (lookup and options rows included) after which a frame ends, in PUNCTUATED and FLAT
  *   streams
  * @param delimited
  *   whether frames are written with their length; if not, all rows make one frame
  * @param restartInterval
  *   bytes after which a frame begins that can be read without those before it, in delimited
  *   output; 0: never
  * @throws org.jellyspark.OptionException
  *   if a number is out of bounds
  */
final case class PatchOptions(
    streamType: StreamType = StreamType.Punctuated,
    statementType: StatementType = StatementType.Quads,
    terms: TermOptions = TermOptions(),
    frameSize: Int = 512,
    delimited: Boolean = true,
    restartInterval: Long = StreamOptions.DefaultRestartInterval
) {
  StreamOptions.checkFrameSize(frameSize)
  StreamOptions.checkRestartInterval(restartInterval)
}

object PatchOptions {

  /** The version of Jelly-Patch that this codec implements. */
  val Version = 1

  val StreamTypeKey = "streamType"
  val StatementTypeKey = "statementType"

  /** Options from their names, which [[org.jellyspark.core.OptionParser]] reads; other names are
    * left to others.
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
      TermOptions.parse(parser),
      StreamOptions.frameSize(parser, default.frameSize),
      StreamOptions.delimited(parser),
      StreamOptions.restartInterval(parser)
    )
  }
}
