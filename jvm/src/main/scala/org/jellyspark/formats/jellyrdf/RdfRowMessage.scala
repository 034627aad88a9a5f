package org.jellyspark.formats.jellyrdf

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.proto.v1._
import org.jellyspark.core.QuotedTriple
import org.jellyspark.jelly.{Messages, RowMessage, Wire}

/** RdfStreamRow. jelly-core has the messages that it holds, but for the options. */
private[jellyrdf] final class RdfRowMessage extends RowMessage {
  import Messages._
  import RdfRowMessage.Tag
  import RdfWire.Kind

  val triple: RdfTriple.Mutable = RdfTriple.newInstance()
  val quad: RdfQuad.Mutable = RdfQuad.newInstance()
  val graphStart: RdfGraphStart.Mutable = RdfGraphStart.newInstance()
  val namespace: RdfNamespaceDeclaration.Mutable = RdfNamespaceDeclaration.newInstance()
  private[this] var optionsMessage = new RdfOptionsMessage

  override def options: RdfOptionsMessage = optionsMessage

  override protected def parseField(tag: Int, in: CodedInputStream): Unit = tag match {
    case Tag.Triple     => parseMessage[RdfTriple](Kind.Triple, triple, in, QuotedTriple.MaxDepth)
    case Tag.Quad       => parseMessage[RdfQuad](Kind.Quad, quad, in, QuotedTriple.MaxDepth)
    case Tag.Name       => parseEntry(Kind.Name, in)
    case Tag.Prefix     => parseEntry(Kind.Prefix, in)
    case Tag.Datatype   => parseEntry(Kind.Datatype, in)
    case Tag.GraphStart => parseMessage[RdfGraphStart](Kind.GraphStart, graphStart, in)
    case Tag.GraphEnd   => parseEmpty(Kind.GraphEnd, in)
    case Tag.Namespace  => parseMessage[RdfNamespaceDeclaration](Kind.Namespace, namespace, in)
    case Tag.Options    =>
      if (become(Kind.Options)) optionsMessage = new RdfOptionsMessage
      nested(in)(optionsMessage.parseField(in, _))
    case _ => skip(in, tag)
  }
}

private object RdfRowMessage {

  /** The tags of RdfStreamRow's fields, all of them messages. */
  object Tag {
    import Wire.LengthDelimited
    import RdfWire.Kind
    final val Options = Kind.Options << 3 | LengthDelimited
    final val Triple = Kind.Triple << 3 | LengthDelimited
    final val Quad = Kind.Quad << 3 | LengthDelimited
    final val GraphStart = Kind.GraphStart << 3 | LengthDelimited
    final val GraphEnd = Kind.GraphEnd << 3 | LengthDelimited
    final val Namespace = Kind.Namespace << 3 | LengthDelimited
    final val Name = Kind.Name << 3 | LengthDelimited
    final val Prefix = Kind.Prefix << 3 | LengthDelimited
    final val Datatype = Kind.Datatype << 3 | LengthDelimited
  }
}
