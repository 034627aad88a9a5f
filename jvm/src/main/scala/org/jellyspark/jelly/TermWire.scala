package org.jellyspark.jelly

import com.google.protobuf.CodedOutputStream
import eu.neverblink.protoc.java.runtime.ProtoMessage

/** Writes jelly-core's wire terms as fields of messages that it does not have; null is left out. */
private[jellyspark] object TermWire {

  def sizeOf(field: Int, term: AnyRef): Int = term match {
    case null          => 0
    case label: String => CodedOutputStream.computeStringSize(field, label)
    case message       => FrameWriter.sizeOf(field, asMessage(message).getSerializedSize)
  }

  def write(field: Int, term: AnyRef, out: CodedOutputStream): Unit = term match {
    case null          =>
    case label: String => out.writeString(field, label)
    case message       =>
      out.writeUInt32NoTag(Wire.lengthTag(field))
      out.writeUInt32NoTag(asMessage(message).getSerializedSize)
      asMessage(message).writeTo(out)
  }

  /** Size of a field of text, which is left out where it is empty. */
  def sizeOfText(field: Int, text: String): Int =
    if (text.isEmpty) 0 else CodedOutputStream.computeStringSize(field, text)

  def writeText(field: Int, text: String, out: CodedOutputStream): Unit =
    if (!text.isEmpty) out.writeString(field, text)

  /** All of jelly-core's terms but blank nodes are messages; their common type is `Object`. */
  private def asMessage(term: AnyRef): ProtoMessage[_] = term.asInstanceOf[ProtoMessage[_]]
}
