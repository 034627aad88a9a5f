package org.jellyspark.jelly

import org.jellyspark.jelly.wire.{FieldCursor, Wire}

/** The content of an options row. Each format adds its own options. */
private[jellyspark] abstract class OptionsMessage {
  import Wire.{Options => Field, varintTag}

  final var generalized: Boolean = false
  final var rdfStar: Boolean = false
  final var maxNameTableSize: Int = 0
  final var maxPrefixTableSize: Int = 0
  final var maxDatatypeTableSize: Int = 0
  final var version: Int = 0

  /** Reads the fields of the message. If a field occurs several times, the last one counts.
    *
    * @throws MalformedRowException
    *   if the bytes are not a Protobuf message
    */
  final def read(bytes: Array[Byte], from: Int, to: Int): Unit = {
    val fields = new FieldCursor(bytes, from, to)
    while (fields.next()) take(fields)
  }

  /** Reads the current field. */
  protected def take(field: FieldCursor): Unit = {
    val tag = field.tag
    if (tag == varintTag(Field.Generalized)) generalized = field.number != 0
    else if (tag == varintTag(Field.RdfStar)) rdfStar = field.number != 0
    else if (tag == varintTag(Field.MaxNameTableSize)) maxNameTableSize = field.number.toInt
    else if (tag == varintTag(Field.MaxPrefixTableSize)) maxPrefixTableSize = field.number.toInt
    else if (tag == varintTag(Field.MaxDatatypeTableSize)) maxDatatypeTableSize = field.number.toInt
    else if (tag == varintTag(Field.Version)) version = field.number.toInt
  }

  /** The values of all known fields, for comparing two options rows. */
  def content: Seq[Any] = Seq(
    generalized,
    rdfStar,
    maxNameTableSize,
    maxPrefixTableSize,
    maxDatatypeTableSize,
    version
  )
}
