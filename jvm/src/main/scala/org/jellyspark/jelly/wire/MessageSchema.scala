package org.jellyspark.jelly.wire

/** What the fields of a format's messages hold. Messages are numbered; a format's own from
  * [[MessageSchema.FirstOwn]] on.
  */
private[jellyspark] abstract class MessageSchema {
  import MessageSchema._

  /** What a field of a row holds. */
  protected def inRow(field: Int): Int

  /** What a field of the options holds, if it is text. */
  protected def inOptions(field: Int): Int

  /** What a field of one of the format's own messages holds. */
  protected def inOwn(message: Int, field: Int): Int

  /** The first field of the oneof that a field of one of the format's own messages is in. */
  protected def oneofInOwn(message: Int, field: Int): Int

  /** What a field of a message holds: text, a number, a message, or what is of no concern. */
  final def contentOf(message: Int, field: Int): Int = message match {
    case RowMessage                 => inRow(field)
    case QuadMessage                => inQuad(field)
    case TripleMessage | TripleTerm => if (field <= 12) inTriple(field) else Unknown
    case IriMessage                 => if (field == 1 || field == 2) Number else Unknown
    case LiteralMessage             => inLiteral(field)
    case EntryMessage               => inEntry(field)
    case PlainMessage               => Unknown
    case OptionsMessage             => inOptions(field)
    case _                          => inOwn(message, field)
  }

  /** Fields with the same answer exclude each other; a field in no oneof answers itself. */
  final def oneofOf(message: Int, field: Int): Int = message match {
    case RowMessage                               => 1
    case QuadMessage | TripleMessage | TripleTerm => (field - 1) / 4 * 4 + 1
    case LiteralMessage                           => math.min(field, Wire.Literal.Langtag)
    case IriMessage | EntryMessage | PlainMessage | OptionsMessage => field
    case _                                                         => oneofInOwn(message, field)
  }
}

private[jellyspark] object MessageSchema {
  final val Unknown = 0
  final val Text = 1
  final val Number = 2
  final val RowMessage = 3
  final val QuadMessage = 4
  // A statement.
  final val TripleMessage = 5
  // The same message as a quoted triple.
  final val TripleTerm = 6
  final val IriMessage = 7
  final val LiteralMessage = 8
  final val EntryMessage = 9
  // A message whose fields are of no concern.
  final val PlainMessage = 10
  // The options, which OptionsMessage reads.
  final val OptionsMessage = 11
  final val FirstOwn = 12

  /** Jelly-RDF numbers the kinds of a term alike for subject, predicate and object. */
  private def inTriple(field: Int): Int = field % 4 match {
    case 1 => IriMessage
    case 2 => Text
    case 3 => LiteralMessage
    case _ => TripleTerm
  }

  private def inQuad(field: Int): Int = field match {
    case 13 => IriMessage
    case 14 => Text
    case 15 => PlainMessage
    case 16 => LiteralMessage
    case _  => if (field < 13) inTriple(field) else Unknown
  }

  private def inLiteral(field: Int): Int = field match {
    case Wire.Literal.Lex | Wire.Literal.Langtag => Text
    case Wire.Literal.Datatype                   => Number
    case _                                       => Unknown
  }

  private def inEntry(field: Int): Int = field match {
    case Wire.Entry.Id    => Number
    case Wire.Entry.Value => Text
    case _                => Unknown
  }
}
