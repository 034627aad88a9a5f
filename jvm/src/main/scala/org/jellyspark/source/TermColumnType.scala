package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.formats.OptionValue
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, NTriples, QuotedTriple, Term}

/** The type of a column that holds terms: a value of the option `terms`. */
sealed abstract class TermColumnType(name: String, val dataType: DataType)
    extends OptionValue(name) {

  /** Converts a term to the column's value. */
  def toColumn(term: Term): Any

  /** Reads a column's value, which must not be null, as a term.
    *
    * @throws org.jellyspark.core.terms.NTriples.SyntaxException
    *   if the value is not a term
    */
  def toTerm(row: InternalRow, ordinal: Int): Term
}

object TermColumnType {

  /** A string in N-Triples syntax. */
  case object AsString extends TermColumnType("string", StringType) {
    override def toColumn(term: Term): Any = UTF8String.fromBytes(term.utf8)

    override def toTerm(row: InternalRow, ordinal: Int): Term =
      NTriples.parse(text(row, ordinal))
  }

  /** A struct of four strings: `kind` (`iri`, `bnode`, `literal` or `triple`), `value` (the IRI,
    * label or lexical form; the N-Triples syntax of a triple), and for literals `datatype` and
    * `lang`.
    */
  case object AsStruct
      extends TermColumnType(
        "struct",
        StructType(TermStructField.values.map(part => StructField(part.name, StringType)))
      ) {
    import TermStructField.{BlankNodeKind, IriKind, LiteralKind, TripleKind}

    override def toColumn(term: Term): InternalRow =
      new GenericInternalRow(TermStructField.values.map(_.of(term): Any).toArray)

    override def toTerm(row: InternalRow, ordinal: Int): Term = toTerm(row.getStruct(ordinal, 4))

    /** Reads a struct as a term.
      *
      * @throws org.jellyspark.core.terms.NTriples.SyntaxException
      *   if the fields are not those of a term
      */
    def toTerm(struct: InternalRow): Term = {
      def part(index: Int): String = if (struct.isNullAt(index)) null else text(struct, index)
      val (value, datatype, lang) = (part(1), part(2), part(3))
      if (value == null) throw new NTriples.SyntaxException("expected a value, found null")
      val kind = struct.getUTF8String(0)
      if (kind != LiteralKind && (datatype != null || lang != null)) {
        throw new NTriples.SyntaxException(
          s"expected datatype and lang in literals only, found them in a term of kind $kind"
        )
      }
      kind match {
        case IriKind       => Iri(value)
        case BlankNodeKind => BlankNode(value)
        case LiteralKind   => literal(value, datatype, lang)
        case TripleKind    =>
          NTriples.parse(value) match {
            case triple: QuotedTriple => triple
            case _                    =>
              throw new NTriples.SyntaxException(
                "expected a quoted triple, found another kind of term"
              )
          }
        case other =>
          throw new NTriples.SyntaxException(
            s"expected one of the kinds iri, bnode, literal and triple, found $other"
          )
      }
    }

    private def literal(lex: String, datatype: String, lang: String): Term =
      if (lang == null) Literal.typed(lex, datatype)
      else if (datatype == null || datatype == Literal.RdfLangString) Literal.tagged(lex, lang)
      else {
        throw new NTriples.SyntaxException(
          s"expected the datatype rdf:langString beside a lang, found $datatype"
        )
      }
  }

  val values: List[TermColumnType] = List(AsString, AsStruct)

  /** The type of a term column whose Spark type is `dataType`. */
  def of(dataType: DataType): TermColumnType = if (dataType == StringType) AsString else AsStruct

  /** Reads the string in a column, which must not be null.
    *
    * @throws org.jellyspark.core.terms.NTriples.SyntaxException
    *   if it is not valid UTF-8, which Spark does not check when it casts binary to string
    */
  private[source] def text(row: InternalRow, ordinal: Int): String = text(
    row.getUTF8String(ordinal)
  )

  /** Converts Spark's string, with the same check. */
  private[jellyspark] def text(utf8: UTF8String): String = {
    if (!utf8.isValid) {
      val bytes = utf8.getBytes
      val found = Utf8.describeInvalid(bytes, 0, bytes.length)
      throw new NTriples.SyntaxException(s"expected UTF-8, found $found")
    }
    utf8.toString
  }
}
