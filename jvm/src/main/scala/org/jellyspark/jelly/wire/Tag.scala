package org.jellyspark.jelly.wire

/** The one-byte tags, each a field number and a wire type, with which decoders compare bytes. */
private[jelly] object Tag {
  import Wire.{LengthDelimited, Varint}

  /** A row in a frame. */
  final val Row = Wire.FrameRows << 3 | LengthDelimited

  // RdfIri.
  final val PrefixId = Wire.Iri.PrefixId << 3 | Varint
  final val NameId = Wire.Iri.NameId << 3 | Varint

  // RdfLiteral.
  final val Lex = Wire.Literal.Lex << 3 | LengthDelimited
  final val Langtag = Wire.Literal.Langtag << 3 | LengthDelimited
  final val Datatype = Wire.Literal.Datatype << 3 | Varint

  // RdfNameEntry, RdfPrefixEntry, RdfDatatypeEntry.
  final val EntryId = Wire.Entry.Id << 3 | Varint
  final val EntryValue = Wire.Entry.Value << 3 | LengthDelimited

  // The first field of each position in RdfTriple and RdfQuad. The tags of the next three fields,
  // for the other kinds of term, are higher by Step each.
  final val Subject = 1 << 3 | LengthDelimited
  final val Predicate = 5 << 3 | LengthDelimited
  final val Object = 9 << 3 | LengthDelimited
  final val Graph = 13 << 3 | LengthDelimited

  /** The default graph, as the graph of an RdfQuad. */
  final val DefaultGraph = 15 << 3 | LengthDelimited

  /** The bits in which a tag may differ from the tag of its position's first field. */
  final val KindBits = 3 << 3

  /** The distance between the tags of consecutive fields, as a shift. */
  final val KindShift = 3
}
