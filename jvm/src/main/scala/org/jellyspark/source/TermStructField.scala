package org.jellyspark.source

import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.terms.{BlankNode, Iri, Literal, Term}

/** A field of the struct that holds a term ([[TermColumnType.AsStruct]]). */
private[jellyspark] sealed abstract class TermStructField(val name: String) extends Serializable {

  /** Whether the field is defined for a term. */
  def isIn(term: Term): Boolean = true

  /** The field's value for a term; null if the field is not defined for it. */
  def of(term: Term): UTF8String
}

private[jellyspark] object TermStructField {
  val IriKind: UTF8String = UTF8String.fromString("iri")
  val BlankNodeKind: UTF8String = UTF8String.fromString("bnode")
  val LiteralKind: UTF8String = UTF8String.fromString("literal")
  val TripleKind: UTF8String = UTF8String.fromString("triple")

  /** The kind of the term: `iri`, `bnode`, `literal` or `triple`. */
  case object Kind extends TermStructField("kind") {
    override def of(term: Term): UTF8String = term match {
      case _: Iri       => IriKind
      case _: BlankNode => BlankNodeKind
      case _: Literal   => LiteralKind
      case _            => TripleKind
    }
  }

  /** The IRI, blank node label or lexical form; for a quoted triple, its N-Triples syntax. */
  case object Value extends TermStructField("value") {
    override def of(term: Term): UTF8String = term match {
      case Iri(value)         => UTF8String.fromString(value)
      case BlankNode(label)   => UTF8String.fromString(label)
      case Literal(lex, _, _) => UTF8String.fromString(lex)
      case _                  => UTF8String.fromBytes(term.utf8)
    }
  }

  /** The IRI of the datatype. Every literal has one. */
  case object Datatype extends TermStructField("datatype") {
    override def isIn(term: Term): Boolean = term.isInstanceOf[Literal]

    override def of(term: Term): UTF8String = term match {
      case Literal(_, null, null)     => XsdString
      case Literal(_, null, datatype) => UTF8String.fromString(datatype)
      case _: Literal                 => RdfLangString
      case _                          => null
    }

    val XsdString: UTF8String = UTF8String.fromString(Literal.XsdString)
    val RdfLangString: UTF8String = UTF8String.fromString(Literal.RdfLangString)
  }

  /** The language tag, for literals that have one. */
  case object Lang extends TermStructField("lang") {
    override def isIn(term: Term): Boolean = term match {
      case Literal(_, lang, _) => lang != null
      case _                   => false
    }

    override def of(term: Term): UTF8String = term match {
      case Literal(_, lang, _) => UTF8String.fromString(lang)
      case _                   => null
    }
  }

  /** All fields, in the order of the struct. */
  val values: List[TermStructField] = List(Kind, Value, Datatype, Lang)
}
