package org.jellyspark.jelly.wire

/** What a field of a message contains, as far as a reader needs it. */
private[jellyspark] sealed abstract class FieldContent

private[jellyspark] object FieldContent {

  /** No reader needs the field, or it is not in the schema. */
  case object Unknown extends FieldContent

  /** Text, which must be valid UTF-8. */
  case object Text extends FieldContent

  /** A number of up to 32 bits. */
  case object Number extends FieldContent

  /** A number that is 0 or not. */
  case object Flag extends FieldContent
}

/** A message of the schema. All messages can be merged.
  *
  * @param fields
  *   the content of each field that a reader needs, by its number
  * @param oneofFrom
  *   the first field that is in a oneof; all fields after it are, too
  * @param oneofSize
  *   the number of fields of each oneof
  */
private[jellyspark] final class MessageType(
    fields: => Seq[(Int, FieldContent)],
    oneofFrom: Int = Int.MaxValue,
    oneofSize: Int = Int.MaxValue
) extends FieldContent {
  private[this] lazy val contents = {
    val contents = Array.fill[FieldContent](fields.map(_._1).maxOption.getOrElse(0) + 1)(
      FieldContent.Unknown
    )
    fields.foreach { case (field, content) => contents(field) = content }
    contents
  }

  /** The content of a field. */
  def contentOf(field: Int): FieldContent =
    if (field < contents.length) contents(field) else FieldContent.Unknown

  /** The first field of the oneof to which a field belongs; the field itself if it is not in a
    * oneof. Of the fields of a oneof, only the last one in a message counts.
    */
  def oneofOf(field: Int): Int =
    if (field < oneofFrom) field else field - (field - oneofFrom) % oneofSize
}

/** The messages that both formats share. */
private[jellyspark] object MessageType {
  import FieldContent.{Flag, Number, Text}

  val Iri = new MessageType(Seq(Wire.Iri.PrefixId -> Number, Wire.Iri.NameId -> Number))

  val Literal = new MessageType(
    Seq(
      Wire.Literal.Lex -> Text,
      Wire.Literal.Langtag -> Text,
      Wire.Literal.Datatype -> Number
    ),
    oneofFrom = Wire.Literal.Langtag
  )

  /** An entry of any of the three lookups. */
  val Entry = new MessageType(Seq(Wire.Entry.Id -> Number, Wire.Entry.Value -> Text))

  /** A message of which only the presence matters. */
  val Plain = new MessageType(Nil)

  /** RdfTriple as a statement. */
  val Triple = new MessageType(triple, oneofFrom = 1, oneofSize = 4)

  /** RdfTriple as a triple term. */
  val TripleTerm = new MessageType(triple, oneofFrom = 1, oneofSize = 4)

  val Quad = new MessageType(triple ++ graph(13), oneofFrom = 1, oneofSize = 4)

  /** The options of a format, with the fields that only this format has. */
  def options(own: (Int, FieldContent)*): MessageType = new MessageType(
    own ++ Seq(
      Wire.Options.Generalized -> Flag,
      Wire.Options.RdfStar -> Flag,
      Wire.Options.MaxNameTableSize -> Number,
      Wire.Options.MaxPrefixTableSize -> Number,
      Wire.Options.MaxDatatypeTableSize -> Number,
      Wire.Options.Version -> Number
    )
  )

  /** The four fields of a term, which begin with the field of an IRI. */
  def term(iri: Int): Seq[(Int, FieldContent)] =
    Seq(iri -> Iri, iri + 1 -> Text, iri + 2 -> Literal, iri + 3 -> TripleTerm)

  /** Like [[term]], but for a graph. */
  def graph(iri: Int): Seq[(Int, FieldContent)] =
    Seq(iri -> Iri, iri + 1 -> Text, iri + 2 -> Plain, iri + 3 -> Literal)

  private def triple = term(1) ++ term(5) ++ term(9)
}

/** The rows of a format.
  *
  * @param optionsMessage
  *   the message of the options
  * @param fields
  *   the number, the name in the schema and the content of each field
  */
private[jellyspark] final class RowSchema(
    val optionsMessage: MessageType,
    fields: (Int, String, FieldContent)*
) {

  /** The names of all fields, by number. */
  val nameOf: Map[Int, String] = fields.map { case (field, name, _) => field -> name }.toMap

  // The fields of the options and of lookup entries.
  val options: Int = numberOf("options")
  val name: Int = numberOf("name")
  val prefix: Int = numberOf("prefix")
  val datatype: Int = numberOf("datatype")

  /** The message of a row. */
  val row: MessageType =
    new MessageType(fields.map { case (field, _, content) => field -> content }, oneofFrom = 1)

  private def numberOf(name: String): Int = nameOf.collectFirst { case (field, `name`) =>
    field
  }.get
}
