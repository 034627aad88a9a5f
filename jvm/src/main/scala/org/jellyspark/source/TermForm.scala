package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.formats.OptionValue
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, NTriples, QuotedTriple, Term}

/** How terms stand in a column: the values of the option `terms`. */
sealed abstract class TermForm(name: String, val dataType: DataType) extends OptionValue(name) {

  /** A term as the column's value. */
  def toColumn(term: Term): Any

  /** The term of a column's value, which is not null.
    *
    * @throws NTriples.SyntaxException
    *   if it holds none
    */
  def toTerm(row: InternalRow, ordinal: Int): Term
}

object TermForm {

  /** N-Triples syntax in a string. */
  case object Text extends TermForm("string", StringType) {
    override def toColumn(term: Term): Any = UTF8String.fromBytes(term.utf8)

    override def toTerm(row: InternalRow, ordinal: Int): Term =
      NTriples.parse(text(row, ordinal))
  }

  /** A struct of `kind` (iri, bnode, literal, triple), `value` (without syntax; of a triple, its
    * text), and of literals `datatype` (always) and `lang`.
    */
  case object Parts
      extends TermForm(
        "struct",
        StructType(TermPart.values.map(part => StructField(part.name, StringType)))
      ) {
    import TermPart.{BlankNodeKind, IriKind, LiteralKind, TripleKind}

    override def toColumn(term: Term): Any =
      new GenericInternalRow(TermPart.values.map(_.of(term): Any).toArray)

    override def toTerm(row: InternalRow, ordinal: Int): Term = {
      val struct = row.getStruct(ordinal, 4)
      def part(index: Int): String = if (struct.isNullAt(index)) null else text(struct, index)
      val (value, datatype, lang) = (part(1), part(2), part(3))
      if (value == null) throw new NTriples.SyntaxException("expected a value, found null")
      val kind = struct.getUTF8String(0)
      if (kind != LiteralKind && (datatype != null || lang != null)) {
        throw new NTriples.SyntaxException("expected datatype and lang of literals only")
      }
      kind match {
        case IriKind       => Iri(value)
        case BlankNodeKind => BlankNode(value)
        case LiteralKind   => literal(value, datatype, lang)
        case TripleKind    =>
          NTriples.parse(value) match {
            case triple: QuotedTriple => triple
            case _ => throw new NTriples.SyntaxException("expected a quoted triple, found another")
          }
        case other =>
          throw new NTriples.SyntaxException(
            s"expected a kind of iri, bnode, literal, triple, found $other"
          )
      }
    }

    private def literal(lex: String, datatype: String, lang: String): Term =
      if (lang == null) Literal.typed(lex, datatype)
      else if (datatype == null || datatype == Literal.RdfLangString) Literal.tagged(lex, lang)
      else {
        throw new NTriples.SyntaxException(
          s"expected the datatype rdf:langString with a lang, found $datatype"
        )
      }
  }

  val values: List[TermForm] = List(Text, Parts)

  /** The form in which a column of this type holds terms. */
  def of(dataType: DataType): TermForm = if (dataType == StringType) Text else Parts

  /** The text of a column, which is not null.
    *
    * @throws NTriples.SyntaxException
    *   if it is not UTF-8: Spark lets any bytes be cast to a string
    */
  private[source] def text(row: InternalRow, ordinal: Int): String = {
    val utf8 = row.getUTF8String(ordinal)
    if (!utf8.isValid) throw new NTriples.SyntaxException("expected UTF-8, found other bytes")
    utf8.toString
  }
}
