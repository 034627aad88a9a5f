package org.jellyspark.formats.jellypatch

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.internal.proto.GraphBase
import eu.neverblink.jelly.core.proto.v1._
import org.jellyspark.core.QuotedTriple
import org.jellyspark.jelly.{EntryMessage, Messages, Wire}

/** RdfPatchRow, parsed and reused from row to row. jelly-core has the messages of Jelly-RDF that it
  * holds; those of Jelly-Patch are here.
  *
  * As Protobuf says: fields in any order, unknown ones skipped, the last of a oneof wins, and a
  * message that comes twice is merged.
  */
private[jellyspark] final class PatchRowMessage {
  import Messages._
  import PatchRowMessage.Tag
  import PatchWire.Kind

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
        case Tag.StatementAdd    => parseStatement(Kind.StatementAdd, in)
        case Tag.StatementDelete => parseStatement(Kind.StatementDelete, in)
        case Tag.Name            => parseEntry(Kind.Name, in)
        case Tag.Prefix          => parseEntry(Kind.Prefix, in)
        case Tag.Datatype        => parseEntry(Kind.Datatype, in)
        case Tag.NamespaceAdd    => parseNamespace(Kind.NamespaceAdd, in)
        case Tag.NamespaceDelete => parseNamespace(Kind.NamespaceDelete, in)
        case Tag.Header          =>
          if (become(Kind.Header)) header.clear()
          nested(in)(header.parseField(in, _))
        case Tag.TransactionStart  => parseEmpty(Kind.TransactionStart, in)
        case Tag.TransactionCommit => parseEmpty(Kind.TransactionCommit, in)
        case Tag.TransactionAbort  => parseEmpty(Kind.TransactionAbort, in)
        case Tag.Punctuation       => parseEmpty(Kind.Punctuation, in)
        case Tag.Options           =>
          if (become(Kind.Options)) options = OptionsMessage()
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

private object PatchRowMessage {

  /** The tags of RdfPatchRow's fields, all of them messages. */
  object Tag {
    import Wire.LengthDelimited
    import PatchWire.Kind
    final val Options = Kind.Options << 3 | LengthDelimited
    final val StatementAdd = Kind.StatementAdd << 3 | LengthDelimited
    final val StatementDelete = Kind.StatementDelete << 3 | LengthDelimited
    final val NamespaceAdd = Kind.NamespaceAdd << 3 | LengthDelimited
    final val NamespaceDelete = Kind.NamespaceDelete << 3 | LengthDelimited
    final val TransactionStart = Kind.TransactionStart << 3 | LengthDelimited
    final val TransactionCommit = Kind.TransactionCommit << 3 | LengthDelimited
    final val TransactionAbort = Kind.TransactionAbort << 3 | LengthDelimited
    final val Name = Kind.Name << 3 | LengthDelimited
    final val Prefix = Kind.Prefix << 3 | LengthDelimited
    final val Datatype = Kind.Datatype << 3 | LengthDelimited
    final val Header = Kind.Header << 3 | LengthDelimited
    final val Punctuation = Kind.Punctuation << 3 | LengthDelimited
  }
}

/** RdfPatchOptions. */
private[jellyspark] final case class OptionsMessage(
    var statementType: Int = 0,
    var streamType: Int = 0,
    var generalized: Boolean = false,
    var rdfStar: Boolean = false,
    var maxNameTableSize: Int = 0,
    var maxPrefixTableSize: Int = 0,
    var maxDatatypeTableSize: Int = 0,
    var version: Int = 0
) {
  import PatchWire.{Options => Field}
  import Wire.varintTag

  def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == varintTag(Field.StatementType)) statementType = in.readEnum()
    else if (tag == varintTag(Field.StreamType)) streamType = in.readEnum()
    else if (tag == varintTag(Field.Generalized)) generalized = in.readBool()
    else if (tag == varintTag(Field.RdfStar)) rdfStar = in.readBool()
    else if (tag == varintTag(Field.MaxNameTableSize)) maxNameTableSize = in.readUInt32()
    else if (tag == varintTag(Field.MaxPrefixTableSize)) maxPrefixTableSize = in.readUInt32()
    else if (tag == varintTag(Field.MaxDatatypeTableSize)) maxDatatypeTableSize = in.readUInt32()
    else if (tag == varintTag(Field.Version)) version = in.readUInt32()
    else Messages.skip(in, tag)
}

/** RdfPatchNamespace. */
private[jellyspark] final class NamespaceMessage extends GraphBase {
  import PatchWire.{Namespace => Field}
  import Wire.lengthTag

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
    else if (tag == lengthTag(Field.Value)) value = Messages.iri(value, in)
    else if (tag == lengthTag(Field.GraphIri)) graph = Messages.iri(graph, in)
    else if (tag == lengthTag(Field.GraphBnode)) graph = in.readString()
    else if (tag == lengthTag(Field.GraphDefault)) {
      graph = RdfDefaultGraph.EMPTY
      Messages.nested(in)(Messages.skip(in, _))
    } else if (tag == lengthTag(Field.GraphLiteral)) graph = Messages.literal(graph, in)
    else Messages.skip(in, tag)
}

/** RdfPatchHeader. */
private[jellyspark] final class HeaderMessage {
  import PatchWire.{Header => Field}
  import Wire.lengthTag

  var key: String = ""
  var value: AnyRef = _

  def clear(): Unit = {
    key = ""
    value = null
  }

  def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == lengthTag(Field.Key)) key = in.readString()
    else if (tag == lengthTag(Field.Iri)) value = Messages.iri(value, in)
    else if (tag == lengthTag(Field.Bnode)) value = in.readString()
    else if (tag == lengthTag(Field.Literal)) value = Messages.literal(value, in)
    else if (tag == lengthTag(Field.TripleTerm)) value = Messages.triple(value, in)
    else Messages.skip(in, tag)
}
