package org.jellyspark.formats.jellyrdf

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.jelly.OptionsMessage
import org.jellyspark.jelly.wire.{FieldCursor, Wire}

/** The decoded message RdfStreamOptions. */
private[jellyrdf] final class JellyRdfOptionsMessage extends OptionsMessage {
  import JellyRdfFields.{Options => Field}
  import Wire.{lengthTag, varintTag}

  private[this] var streamName = ""
  var physicalType: Int = 0
  var logicalType: Int = 0

  override protected def take(field: FieldCursor): Unit =
    if (field.tag == lengthTag(Field.StreamName)) streamName = new String(field.content, UTF_8)
    else if (field.tag == varintTag(Field.PhysicalType)) physicalType = field.number.toInt
    else if (field.tag == varintTag(Field.LogicalType)) logicalType = field.number.toInt
    else super.take(field)

  override def content: Seq[Any] = super.content ++ Seq(streamName, physicalType, logicalType)
}
