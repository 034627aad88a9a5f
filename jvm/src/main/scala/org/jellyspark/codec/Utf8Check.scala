package org.jellyspark.codec

import com.google.protobuf.CodedInputStream

/** Walks the texts that jelly-core's own messages hold, which its parser reads without a check that
  * they are UTF-8.
  */
private[codec] object Utf8Check {
  import PatchWire.{Header, Namespace, Row}

  private sealed trait Content
  private case object Text extends Content
  private case object Other extends Content
  private final case class Message(fields: Int => Content) extends Content

  private val literal = Message(field => if (field == 1 || field == 2) Text else Other)

  // Jelly-RDF numbers the kinds of a term alike for subject, predicate and object.
  private lazy val triple: Message = Message(spoField)

  private lazy val quad: Message = Message {
    case 14    => Text
    case 16    => literal
    case field => spoField(field)
  }

  private val namespace = Message(field => if (field == Namespace.GraphLiteral) literal else Other)

  private lazy val header = Message {
    case Header.Literal    => literal
    case Header.TripleTerm => triple
    case _                 => Other
  }

  private lazy val row = Message {
    case Row.StatementAdd | Row.StatementDelete => quad
    case Row.NamespaceAdd | Row.NamespaceDelete => namespace
    case Row.Header                             => header
    case _                                      => Other
  }

  private def spoField(field: Int): Content =
    if (field > 12) Other
    else
      field % 4 match {
        case 2 => Text
        case 3 => literal
        case 0 => triple
        case _ => Other
      }

  /** Checks every text of a row.
    *
    * @throws java.io.IOException
    *   if one is not UTF-8
    */
  def row(in: CodedInputStream): Unit = walk(row, in)

  private def walk(message: Message, in: CodedInputStream): Unit = {
    var tag = in.readTag()
    while (tag != 0) {
      val field = tag >>> 3
      val content = if (tag == PatchWire.lengthTag(field)) message.fields(field) else Other
      content match {
        case Text           => in.readStringRequireUtf8()
        case inner: Message =>
          val outer = in.pushLimit(in.readRawVarint32())
          walk(inner, in)
          in.popLimit(outer)
        case Other => PatchRowMessage.skip(in, tag)
      }
      tag = in.readTag()
    }
  }
}
