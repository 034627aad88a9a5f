package org.jellyspark.jelly.wire

/** The field numbers that both Jelly formats share, and Protobuf's wire types and tags. */
private[jellyspark] object Wire {

  /** The field for the rows of a frame. */
  final val FrameRows = 1

  /** The field for an entry of a frame's metadata. */
  final val FrameMetadata = 15

  /** The fields of a metadata entry. */
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

  // Protobuf's wire types. Messages and text are length-delimited.
  final val Varint = 0
  final val Fixed64 = 1
  final val LengthDelimited = 2
  final val StartGroup = 3
  final val EndGroup = 4
  final val Fixed32 = 5

  /** The tag of a number field. */
  def varintTag(field: Int): Int = field << 3 | Varint

  /** The tag of a message or text field. */
  def lengthTag(field: Int): Int = field << 3 | LengthDelimited
}
