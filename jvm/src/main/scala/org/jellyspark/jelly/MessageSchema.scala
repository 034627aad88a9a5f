package org.jellyspark.jelly

/** What the fields of a format's messages hold, if they have the wire type of messages and strings.
  * Messages are numbered; a format's own from [[MessageSchema.FirstOwn]] on.
  */
private[jellyspark] abstract class MessageSchema {
  import MessageSchema._

  /** What a field of a row holds. */
  protected def inRow(field: Int): Int

  /** What a field of one of the format's own messages holds. */
  protected def inOwn(message: Int, field: Int): Int

  /** What a field of a message holds: text, a message, or what is of no concern. */
  final def contentOf(message: Int, field: Int): Int = message match {
    case RowMessage                 => inRow(field)
    case QuadMessage                => inQuad(field)
    case TripleMessage | TripleTerm => if (field <= 12) inTriple(field) else Unknown
    case LiteralMessage             => if (field == 1 || field == 2) Text else Unknown
    case EntryMessage               => if (field == Wire.Entry.Value) Text else Unknown
    case PlainMessage               => Unknown
    case _                          => inOwn(message, field)
  }
}

private[jellyspark] object MessageSchema {
  final val Unknown = 0
  final val Text = 1
  final val RowMessage = 2
  final val QuadMessage = 3
  // A statement.
  final val TripleMessage = 4
  // The same message as a quoted triple.
  final val TripleTerm = 5
  final val LiteralMessage = 6
  final val EntryMessage = 7
  // A message without texts or messages in it.
  final val PlainMessage = 8
  final val FirstOwn = 9

  /** Jelly-RDF numbers the kinds of a term alike for subject, predicate and object. */
  private def inTriple(field: Int): Int = field % 4 match {
    case 1 => PlainMessage
    case 2 => Text
    case 3 => LiteralMessage
    case _ => TripleTerm
  }

  private def inQuad(field: Int): Int = field match {
    case 13 | 15 => PlainMessage
    case 14      => Text
    case 16      => LiteralMessage
    case _       => if (field < 13) inTriple(field) else Unknown
  }
}
