package org.jellyspark.source

import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.terms.{BlankNode, Iri, Literal, Term}

/** A field of the struct that a term is in the form [[TermForm.Parts]]. */
private[source] sealed abstract class TermPart(val name: String) extends Serializable {

  /** What a term has in it; null where it has nothing. */
  def of(term: Term): UTF8String
}

private[source] object TermPart {
  val IriKind: UTF8String = UTF8String.fromString("iri")
  val BlankNodeKind: UTF8String = UTF8String.fromString("bnode")
  val LiteralKind: UTF8String = UTF8String.fromString("literal")
  val TripleKind: UTF8String = UTF8String.fromString("triple")

  case object Kind extends TermPart("kind") {
    override def of(term: Term): UTF8String = term match {
      case _: Iri       => IriKind
      case _: BlankNode => BlankNodeKind
      case _: Literal   => LiteralKind
      case _            => TripleKind
    }
  }

  /** The term without syntax; of a quoted triple, its text. */
  case object Value extends TermPart("value") {
    override def of(term: Term): UTF8String = term match {
      case Iri(value)         => UTF8String.fromString(value)
      case BlankNode(label)   => UTF8String.fromString(label)
      case Literal(lex, _, _) => UTF8String.fromString(lex)
      case _                  => UTF8String.fromBytes(term.utf8)
    }
  }

  /** Of every literal. */
  case object Datatype extends TermPart("datatype") {
    override def of(term: Term): UTF8String = term match {
      case Literal(_, null, null)     => XsdString
      case Literal(_, null, datatype) => UTF8String.fromString(datatype)
      case _: Literal                 => RdfLangString
      case _                          => null
    }

    private val XsdString = UTF8String.fromString(Literal.XsdString)
    private val RdfLangString = UTF8String.fromString(Literal.RdfLangString)
  }

  /** Of literals with a language tag. */
  case object Lang extends TermPart("lang") {
    override def of(term: Term): UTF8String = term match {
      case Literal(_, lang, _) => UTF8String.fromString(lang)
      case _                   => null
    }
  }

  /** In the order of the struct. */
  val values: List[TermPart] = List(Kind, Value, Datatype, Lang)
}
