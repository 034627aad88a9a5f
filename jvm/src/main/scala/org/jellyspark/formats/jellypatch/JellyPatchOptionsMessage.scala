package org.jellyspark.formats.jellypatch

import org.jellyspark.jelly.OptionsMessage
import org.jellyspark.jelly.wire.{FieldCursor, Wire}

/** The decoded message RdfPatchOptions. */
private[jellypatch] final class JellyPatchOptionsMessage extends OptionsMessage {
  import JellyPatchFields.{Options => Field}
  import Wire.varintTag

  var statementType: Int = 0
  var streamType: Int = 0

  override protected def take(field: FieldCursor): Unit =
    if (field.tag == varintTag(Field.StatementType)) statementType = field.number.toInt
    else if (field.tag == varintTag(Field.StreamType)) streamType = field.number.toInt
    else super.take(field)

  override def content: Seq[Any] = super.content ++ Seq(statementType, streamType)
}
