package org.jellyspark.jelly

import com.google.protobuf.CodedInputStream
import eu.neverblink.protoc.java.runtime.ProtoMessage

/** A row's message, parsed and reused from row to row; a format adds the rows of its own.
  *
  * As Protobuf says: fields in any order, unknown ones skipped, the last of a oneof wins, and a
  * message that comes twice is merged.
  */
private[jellyspark] abstract class RowMessage {
  import Messages._

  /** Number of the field that is set; 0 for none. */
  final var kind: Int = 0

  /** What an entry row holds. */
  final val entry = new EntryMessage

  /** What an options row holds; a new object each time. */
  def options: OptionsMessage

  /** Parses the whole of `in`, a row that has passed [[WireCheck]]. */
  final def parse(in: CodedInputStream): Unit = {
    kind = 0
    var tag = in.readTag()
    while (tag != 0) {
      parseField(tag, in)
      tag = in.readTag()
    }
  }

  /** Parses the field of a row with this tag. */
  protected def parseField(tag: Int, in: CodedInputStream): Unit

  /** Answers whether the row was of another kind before, so that there is nothing to merge with. */
  protected final def become(field: Int): Boolean = {
    val changed = kind != field
    kind = field
    changed
  }

  protected final def parseMessage[T <: ProtoMessage[T]](
      field: Int,
      message: T,
      in: CodedInputStream,
      depth: Int = 0
  ): Unit = {
    if (become(field)) message.clear()
    parseDelimited[T](message, in, depth)
    ()
  }

  protected final def parseEntry(field: Int, in: CodedInputStream): Unit = {
    if (become(field)) entry.clear()
    nested(in)(entry.parseField(in, _))
  }

  /** Parses a message that has no fields. */
  protected final def parseEmpty(field: Int, in: CodedInputStream): Unit = {
    kind = field
    nested(in)(skip(in, _))
  }
}
