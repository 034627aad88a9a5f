package org.jellyspark.formats.jellypatch

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.internal.proto.GraphBase
import eu.neverblink.jelly.core.proto.v1._
import org.jellyspark.core.QuotedTriple
import org.jellyspark.jelly.{Messages, OptionsMessage, RowMessage, Wire}

/** RdfPatchRow. jelly-core has the messages of Jelly-RDF that it holds; those of Jelly-Patch are
  * here.
  */
private[jellyspark] final class PatchRowMessage extends RowMessage {
  import Messages._
  import PatchRowMessage.Tag
  import PatchWire.Kind

  val quad: RdfQuad.Mutable = RdfQuad.newInstance()
  val namespace = new NamespaceMessage
  val header = new HeaderMessage
  private[this] var optionsMessage = new PatchOptionsMessage

  override def options: PatchOptionsMessage = optionsMessage

  override protected def parseField(tag: Int, in: CodedInputStream): Unit = tag match {
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
      if (become(Kind.Options)) optionsMessage = new PatchOptionsMessage
      nested(in)(optionsMessage.parseField(in, _))
    case _ => skip(in, tag)
  }

  private def parseStatement(field: Int, in: CodedInputStream): Unit =
    parseMessage[RdfQuad](field, quad, in, QuotedTriple.MaxDepth)

  private def parseNamespace(field: Int, in: CodedInputStream): Unit = {
    if (become(field)) namespace.clear()
    nested(in)(namespace.parseField(in, _))
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
private[jellyspark] final class PatchOptionsMessage extends OptionsMessage {
  import PatchWire.{Options => Field}
  import Wire.varintTag

  var statementType: Int = 0
  var streamType: Int = 0

  override def parseField(in: CodedInputStream, tag: Int): Unit =
    if (tag == varintTag(Field.StatementType)) statementType = in.readEnum()
    else if (tag == varintTag(Field.StreamType)) streamType = in.readEnum()
    else super.parseField(in, tag)

  override def content: Seq[Any] = super.content ++ Seq(statementType, streamType)
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
