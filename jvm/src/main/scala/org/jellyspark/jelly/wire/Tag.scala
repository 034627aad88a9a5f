package org.jellyspark.jelly.wire

/** The tags that decoding compares bytes with: a field's number and its wire type, in one byte. */
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

  // The first field of each position in RdfTriple and RdfQuad; the tags of the next three, which
  // are the other kinds of term, are each Step higher.
  final val Subject = 1 << 3 | LengthDelimited
  final val Predicate = 5 << 3 | LengthDelimited
  final val Object = 9 << 3 | LengthDelimited
  final val Graph = 13 << 3 | LengthDelimited

  /** The default graph, as the graph of an RdfQuad. */
  final val DefaultGraph = 15 << 3 | LengthDelimited

  /** The bits in which a tag may differ from that of its position's first field. */
  final val KindBits = 3 << 3

  /** How far the tags of fields that follow each other are apart, as a shift. */
  final val KindShift = 3
}
