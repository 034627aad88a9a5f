package org.jellyspark.jelly

import com.google.protobuf.WireFormat

/** Field numbers that the Jelly formats share, and the tags made from field numbers. */
private[jellyspark] object Wire {

  /** The rows of a frame. */
  final val FrameRows = 1

  /** The fields of the three lookup entries. */
  object Entry {
    final val Id = 1
    final val Value = 2
  }

  /** Protobuf's wire type of messages and strings. */
  final val LengthDelimited = 2

  def varintTag(field: Int): Int = field << 3 | WireFormat.WIRETYPE_VARINT

  def lengthTag(field: Int): Int = field << 3 | LengthDelimited
}
