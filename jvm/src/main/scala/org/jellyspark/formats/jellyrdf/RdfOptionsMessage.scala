package org.jellyspark.formats.jellyrdf

import com.google.protobuf.CodedInputStream
import org.jellyspark.jelly.{OptionsMessage, Wire}

/** RdfStreamOptions; jelly-core's own takes numbers of types that it does not know for 0. */
private[jellyrdf] final class RdfOptionsMessage extends OptionsMessage {
  import RdfWire.{Options => Field}
  import Wire.{lengthTag, varintTag}

  private[this] var streamName = ""
  var physicalType: Int = 0
  var logicalType: Int = 0

  override def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == lengthTag(Field.StreamName)) streamName = in.readString()
    else if (tag == varintTag(Field.PhysicalType)) physicalType = in.readEnum()
    else if (tag == varintTag(Field.LogicalType)) logicalType = in.readEnum()
    else super.parseField(in, tag)

  override def content: Seq[Any] = super.content ++ Seq(streamName, physicalType, logicalType)
}
