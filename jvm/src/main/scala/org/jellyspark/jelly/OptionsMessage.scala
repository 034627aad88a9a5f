package org.jellyspark.jelly

import com.google.protobuf.CodedInputStream

/** What an options row holds; a format adds the options of its own. */
private[jellyspark] abstract class OptionsMessage {
  import Wire.{Options => Field, varintTag}

  final var generalized: Boolean = false
  final var rdfStar: Boolean = false
  final var maxNameTableSize: Int = 0
  final var maxPrefixTableSize: Int = 0
  final var maxDatatypeTableSize: Int = 0
  final var version: Int = 0

  /** Parses one field of it, given its tag. */
  def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == varintTag(Field.Generalized)) generalized = in.readBool()
    else if (tag == varintTag(Field.RdfStar)) rdfStar = in.readBool()
    else if (tag == varintTag(Field.MaxNameTableSize)) maxNameTableSize = in.readUInt32()
    else if (tag == varintTag(Field.MaxPrefixTableSize)) maxPrefixTableSize = in.readUInt32()
    else if (tag == varintTag(Field.MaxDatatypeTableSize)) maxDatatypeTableSize = in.readUInt32()
    else if (tag == varintTag(Field.Version)) version = in.readUInt32()
    else Messages.skip(in, tag)

  /** What all known fields say, to compare. */
  def content: Seq[Any] = Seq(
    generalized,
    rdfStar,
    maxNameTableSize,
    maxPrefixTableSize,
    maxDatatypeTableSize,
    version
  )
}
