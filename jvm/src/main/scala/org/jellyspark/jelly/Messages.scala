package org.jellyspark.jelly

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.proto.v1._
import eu.neverblink.protoc.java.runtime.ProtoMessage
import org.jellyspark.core.QuotedTriple

/** Parts of parsing a row's message that has passed [[WireCheck]]. */
private[jellyspark] object Messages {

  /** Reads a message that is a field, `parseField` reading one field of it, given its tag. */
  def nested(in: CodedInputStream)(parseField: Int => Unit): Unit = {
    val outer = in.pushLimit(in.readRawVarint32())
    var tag = in.readTag()
    while (tag != 0) {
      parseField(tag)
      tag = in.readTag()
    }
    in.popLimit(outer)
  }

  def skip(in: CodedInputStream, tag: Int): Unit = {
    in.skipField(tag)
    ()
  }

  /** Reads a message that is a field into `message`, which may hold something already. */
  def parseDelimited[T <: ProtoMessage[T]](message: T, in: CodedInputStream, depth: Int): T = {
    ProtoMessage.mergeDelimitedFrom(message, in, depth + 1)
    message
  }

  /** A oneof's message: the one that is set if it is of that kind, or a new one. */
  def iri(set: AnyRef, in: CodedInputStream): RdfIri = set match {
    case same: RdfIri.Mutable => parseDelimited[RdfIri](same, in, 0)
    case _                    => parseDelimited[RdfIri](RdfIri.newInstance(), in, 0)
  }

  def literal(set: AnyRef, in: CodedInputStream): RdfLiteral = set match {
    case same: RdfLiteral.Mutable => parseDelimited[RdfLiteral](same, in, 0)
    case _                        => parseDelimited[RdfLiteral](RdfLiteral.newInstance(), in, 0)
  }

  def triple(set: AnyRef, in: CodedInputStream): RdfTriple = set match {
    case same: RdfTriple.Mutable => parseDelimited[RdfTriple](same, in, QuotedTriple.MaxDepth)
    case _ => parseDelimited[RdfTriple](RdfTriple.newInstance(), in, QuotedTriple.MaxDepth)
  }
}

/** RdfNameEntry, RdfPrefixEntry and RdfDatatypeEntry, which look the same. */
private[jellyspark] final class EntryMessage {
  import Wire.{Entry, lengthTag, varintTag}

  var id: Int = 0
  var value: String = ""
  private[this] val name = RdfNameEntry.newInstance()
  private[this] val prefix = RdfPrefixEntry.newInstance()

  def asName: RdfNameEntry = name.setId(id).setValue(value)

  def asPrefix: RdfPrefixEntry = prefix.setId(id).setValue(value)

  def clear(): Unit = {
    id = 0
    value = ""
  }

  def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == varintTag(Entry.Id)) id = in.readUInt32()
    else if (tag == lengthTag(Entry.Value)) value = in.readString()
    else Messages.skip(in, tag)
}
