package org.jellyspark.codec

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.internal.proto.GraphBase
import eu.neverblink.jelly.core.proto.v1._
import eu.neverblink.protoc.java.runtime.ProtoMessage

/** RdfPatchRow, parsed and reused from row to row. jelly-core has the messages of Jelly-RDF that it
  * holds; those of Jelly-Patch are here.
  *
  * As Protobuf says: fields in any order, unknown ones skipped, the last of a oneof wins, and a
  * message that comes twice is merged.
  */
private[codec] final class PatchRowMessage {
  import PatchRowMessage._
  import PatchWire.Row

  /** Number of the field that is set; 0 for none. */
  var kind: Int = 0

  val quad: RdfQuad.Mutable = RdfQuad.newInstance()
  val entry = new EntryMessage
  var options: OptionsMessage = OptionsMessage()
  val namespace = new NamespaceMessage
  val header = new HeaderMessage

  /** Parses the whole of `in`, a row that has passed [[WireCheck]]. */
  def parse(in: CodedInputStream): Unit = {
    kind = 0
    var tag = in.readTag()
    while (tag != 0) {
      tag match {
        case Tag.StatementAdd    => parseStatement(Row.StatementAdd, in)
        case Tag.StatementDelete => parseStatement(Row.StatementDelete, in)
        case Tag.Name            => parseEntry(Row.Name, in)
        case Tag.Prefix          => parseEntry(Row.Prefix, in)
        case Tag.Datatype        => parseEntry(Row.Datatype, in)
        case Tag.NamespaceAdd    => parseNamespace(Row.NamespaceAdd, in)
        case Tag.NamespaceDelete => parseNamespace(Row.NamespaceDelete, in)
        case Tag.Header          =>
          if (become(Row.Header)) header.clear()
          nested(in)(header.parseField(in, _))
        case Tag.TransactionStart  => parseEmpty(Row.TransactionStart, in)
        case Tag.TransactionCommit => parseEmpty(Row.TransactionCommit, in)
        case Tag.TransactionAbort  => parseEmpty(Row.TransactionAbort, in)
        case Tag.Punctuation       => parseEmpty(Row.Punctuation, in)
        case Tag.Options           =>
          if (become(Row.Options)) options = OptionsMessage()
          nested(in)(options.parseField(in, _))
        case _ => skip(in, tag)
      }
      tag = in.readTag()
    }
  }

  /** Answers whether the row was of another kind before, so that there is nothing to merge with. */
  private def become(field: Int): Boolean = {
    val changed = kind != field
    kind = field
    changed
  }

  private def parseStatement(field: Int, in: CodedInputStream): Unit = {
    if (become(field)) quad.clear()
    parseDelimited[RdfQuad](quad, in, QuotedTriple.MaxDepth)
  }

  private def parseEntry(field: Int, in: CodedInputStream): Unit = {
    if (become(field)) entry.clear()
    nested(in)(entry.parseField(in, _))
  }

  private def parseNamespace(field: Int, in: CodedInputStream): Unit = {
    if (become(field)) namespace.clear()
    nested(in)(namespace.parseField(in, _))
  }

  private def parseEmpty(field: Int, in: CodedInputStream): Unit = {
    kind = field
    nested(in)(skip(in, _))
  }
}

private[codec] object PatchRowMessage {

  /** The tags of RdfPatchRow's fields, all of them messages. */
  private object Tag {
    import PatchWire.{LengthDelimited, Row}
    final val Options = Row.Options << 3 | LengthDelimited
    final val StatementAdd = Row.StatementAdd << 3 | LengthDelimited
    final val StatementDelete = Row.StatementDelete << 3 | LengthDelimited
    final val NamespaceAdd = Row.NamespaceAdd << 3 | LengthDelimited
    final val NamespaceDelete = Row.NamespaceDelete << 3 | LengthDelimited
    final val TransactionStart = Row.TransactionStart << 3 | LengthDelimited
    final val TransactionCommit = Row.TransactionCommit << 3 | LengthDelimited
    final val TransactionAbort = Row.TransactionAbort << 3 | LengthDelimited
    final val Name = Row.Name << 3 | LengthDelimited
    final val Prefix = Row.Prefix << 3 | LengthDelimited
    final val Datatype = Row.Datatype << 3 | LengthDelimited
    final val Header = Row.Header << 3 | LengthDelimited
    final val Punctuation = Row.Punctuation << 3 | LengthDelimited
  }

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
private[codec] final class EntryMessage {
  import PatchWire.{Entry, lengthTag, varintTag}

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
    else PatchRowMessage.skip(in, tag)
}

/** RdfPatchOptions. */
private[codec] final case class OptionsMessage(
    var statementType: Int = 0,
    var streamType: Int = 0,
    var generalized: Boolean = false,
    var rdfStar: Boolean = false,
    var maxNameTableSize: Int = 0,
    var maxPrefixTableSize: Int = 0,
    var maxDatatypeTableSize: Int = 0,
    var version: Int = 0
) {
  import PatchWire.{varintTag, Options => Field}

  def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == varintTag(Field.StatementType)) statementType = in.readEnum()
    else if (tag == varintTag(Field.StreamType)) streamType = in.readEnum()
    else if (tag == varintTag(Field.Generalized)) generalized = in.readBool()
    else if (tag == varintTag(Field.RdfStar)) rdfStar = in.readBool()
    else if (tag == varintTag(Field.MaxNameTableSize)) maxNameTableSize = in.readUInt32()
    else if (tag == varintTag(Field.MaxPrefixTableSize)) maxPrefixTableSize = in.readUInt32()
    else if (tag == varintTag(Field.MaxDatatypeTableSize)) maxDatatypeTableSize = in.readUInt32()
    else if (tag == varintTag(Field.Version)) version = in.readUInt32()
    else PatchRowMessage.skip(in, tag)
}

/** RdfPatchNamespace. */
private[codec] final class NamespaceMessage extends GraphBase {
  import PatchWire.{lengthTag, Namespace => Field}

  var name: String = ""
  var value: RdfIri = _
  private[this] var graph: AnyRef = _

  override def getGraph: AnyRef = graph

  def clear(): Unit = {
    name = ""
    value = null
    graph = null
  }

  def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == lengthTag(Field.Name)) name = in.readString()
    else if (tag == lengthTag(Field.Value)) value = PatchRowMessage.iri(value, in)
    else if (tag == lengthTag(Field.GraphIri)) graph = PatchRowMessage.iri(graph, in)
    else if (tag == lengthTag(Field.GraphBnode)) graph = in.readString()
    else if (tag == lengthTag(Field.GraphDefault)) {
      graph = RdfDefaultGraph.EMPTY
      PatchRowMessage.nested(in)(PatchRowMessage.skip(in, _))
    } else if (tag == lengthTag(Field.GraphLiteral)) graph = PatchRowMessage.literal(graph, in)
    else PatchRowMessage.skip(in, tag)
}

/** RdfPatchHeader. */
private[codec] final class HeaderMessage {
  import PatchWire.{lengthTag, Header => Field}

  var key: String = ""
  var value: AnyRef = _

  def clear(): Unit = {
    key = ""
    value = null
  }

  def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == lengthTag(Field.Key)) key = in.readString()
    else if (tag == lengthTag(Field.Iri)) value = PatchRowMessage.iri(value, in)
    else if (tag == lengthTag(Field.Bnode)) value = in.readString()
    else if (tag == lengthTag(Field.Literal)) value = PatchRowMessage.literal(value, in)
    else if (tag == lengthTag(Field.TripleTerm)) value = PatchRowMessage.triple(value, in)
    else PatchRowMessage.skip(in, tag)
}
