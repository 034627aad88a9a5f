package org.jellyspark.jelly.wire

/** The schema of a format's messages, as far as a reader needs it: the content of each field, and
  * which fields exclude each other.
  *
  * The content of a field is a number: [[MessageSchema.Unknown]], [[MessageSchema.Text]],
  * [[MessageSchema.Number]], or the number of a message. The companion object has the messages of
  * both formats. The messages of a single format begin with [[MessageSchema.FirstOwn]].
  */
private[jellyspark] abstract class MessageSchema {
  import MessageSchema._

  /** The content of a field of a row. */
  protected def inRow(field: Int): Int

  /** The content of a field of the options: text, or [[MessageSchema.Unknown]], which includes
    * numbers.
    */
  protected def inOptions(field: Int): Int

  /** The content of a field in one of the format's own messages. */
  protected def inOwn(message: Int, field: Int): Int

  /** Like [[oneofOf]], but for one of the format's own messages. */
  protected def oneofInOwn(message: Int, field: Int): Int

  /** The content of a field in a message. */
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

  /** The first field of the oneof to which a field belongs; the field itself if it is not in a
    * oneof. Of the fields of a oneof, only the last one in a message counts.
    */
  final def oneofOf(message: Int, field: Int): Int = message match {
    case RowMessage                               => 1
    case QuadMessage | TripleMessage | TripleTerm => (field - 1) / 4 * 4 + 1
    case LiteralMessage                           => math.min(field, Wire.Literal.Langtag)
    case IriMessage | EntryMessage | PlainMessage | OptionsMessage => field
    case _                                                         => oneofInOwn(message, field)
  }
}

private[jellyspark] object MessageSchema {

  /** A field that no reader needs, or that is not in the schema. */
  final val Unknown = 0

  /** Text, which must be valid UTF-8. */
  final val Text = 1

  /** A number of up to 32 bits. */
  final val Number = 2

  // Messages. All of the following can be merged.
  final val RowMessage = 3
  final val QuadMessage = 4

  /** RdfTriple as a statement. */
  final val TripleMessage = 5

  /** RdfTriple as a quoted triple. */
  final val TripleTerm = 6
  final val IriMessage = 7
  final val LiteralMessage = 8
  final val EntryMessage = 9

  /** A message of which only the presence matters. */
  final val PlainMessage = 10

  /** The options, which [[org.jellyspark.jelly.OptionsMessage]] reads. */
  final val OptionsMessage = 11

  final val FirstOwn = 12

  /** Each position has four fields, one for each kind of term: subject 1 to 4, predicate 5 to 8,
    * object 9 to 12.
    */
  private def inTriple(field: Int): Int = field % 4 match {
    case 1 => IriMessage
    case 2 => Text
    case 3 => LiteralMessage
    case _ => TripleTerm
  }

  /** A graph has other kinds, in fields 13 to 16. */
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
