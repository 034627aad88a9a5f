package org.jellyspark.jelly.wire

/** Field numbers that the Jelly formats share, and the tags made from field numbers. */
private[jellyspark] object Wire {

  /** The rows of a frame. */
  final val FrameRows = 1

  /** The entries of a frame's metadata, which are skipped. */
  final val FrameMetadata = 15

  /** The fields of such an entry. */
  object Metadata {
    final val Key = 1
    final val Value = 2
  }

  /** The fields of the three lookup entries. */
  object Entry {
    final val Id = 1
    final val Value = 2
  }

  /** The fields of RdfIri. */
  object Iri {
    final val PrefixId = 1
    final val NameId = 2
  }

  /** The fields of RdfLiteral. */
  object Literal {
    final val Lex = 1
    final val Langtag = 2
    final val Datatype = 3
  }

  /** The fields of the options that both formats have. */
  object Options {
    final val Generalized = 3
    final val RdfStar = 4
    final val MaxNameTableSize = 9
    final val MaxPrefixTableSize = 10
    final val MaxDatatypeTableSize = 11
    final val Version = 15
  }

  /** Protobuf's wire types; that of messages and strings is `LengthDelimited`. */
  final val Varint = 0
  final val Fixed64 = 1
  final val LengthDelimited = 2
  final val StartGroup = 3
  final val EndGroup = 4
  final val Fixed32 = 5

  def varintTag(field: Int): Int = field << 3 | Varint

  def lengthTag(field: Int): Int = field << 3 | LengthDelimited
}

/** The fields that the rows of each Jelly format have for the stream's own rows.
  *
  * @param nameOf
  *   a field's name in the schema, by its number
  */
private[jellyspark] final case class RowFields(
    options: Int,
    name: Int,
    prefix: Int,
    datatype: Int,
    nameOf: Map[Int, String]
)
