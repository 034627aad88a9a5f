package org.jellyspark.jelly

import eu.neverblink.jelly.core.{NodeEncoder, ProtoEncoderConverter}
import eu.neverblink.jelly.core.proto.v1.{RdfIri, RdfLiteral}
import org.jellyspark.core._

/** Makes jelly-core's wire terms from [[Term]]s, and refuses what a stream with these options
  * cannot hold.
  *
  * All entries of a row stand before it, so an entry that a row's own later term evicts would be
  * read wrong; jelly-core does not see that.
  */
private[jellyspark] final class TermEncoder(options: TermOptions)
    extends ProtoEncoderConverter[Term] {
  import RefusedException.refuse

  val names = new EvictionGuard("name", options.maxNameTableSize)
  val prefixes = new EvictionGuard("prefix", options.maxPrefixTableSize)
  val datatypes = new EvictionGuard("datatype", options.maxDatatypeTableSize)

  private[this] var lastNameId = 0
  private[this] var lastPrefixId = 0
  private[this] var depth = 0

  /** The row is complete for which entries were made. */
  def endRow(): Unit = {
    names.endRow()
    prefixes.endRow()
    datatypes.endRow()
  }

  /** Jelly-RDF, "generalized_statements". */
  def checkStatement(subject: Term, predicate: Term): Unit =
    if (!options.generalized) {
      if (subject.isInstanceOf[Literal]) {
        refuse("a literal subject needs generalized statements")
      }
      if (!predicate.isInstanceOf[Iri]) {
        refuse("a predicate that is not an IRI needs generalized statements")
      }
    }

  override def nodeToProto(encoder: NodeEncoder[Term], term: Term): AnyRef = term match {
    case Iri(value)                   => iri(encoder, value)
    case Literal(lex, null, null)     => RdfLiteral.newInstance().setLex(lex)
    case Literal(lex, null, datatype) => typedLiteral(encoder, lex, datatype)
    case Literal(lex, lang, _)        => RdfLiteral.newInstance().setLex(lex).setLangtag(lang)
    case BlankNode(label)             => label
    case QuotedTriple(subject, predicate, obj) =>
      if (!options.rdfStar) refuse("a quoted triple needs RDF-star")
      checkStatement(subject, predicate)
      if (depth == QuotedTriple.MaxDepth) refuse(RowRules.DepthRule)
      depth += 1
      val triple = encoder.makeQuotedTriple(subject, predicate, obj)
      depth -= 1
      triple
    case DefaultGraph => refuse(RowRules.DefaultGraphRule)
  }

  override def graphNodeToProto(encoder: NodeEncoder[Term], term: Term): AnyRef = term match {
    case DefaultGraph => encoder.makeDefaultGraph()
    case other        => nodeToProto(encoder, other)
  }

  private def iri(encoder: NodeEncoder[Term], value: String): RdfIri = {
    val iri = encoder.makeIri(value)
    if (options.maxPrefixTableSize > 0) {
      if (iri.getPrefixId != 0) lastPrefixId = iri.getPrefixId
      prefixes.use(lastPrefixId)
    }
    lastNameId = if (iri.getNameId == 0) lastNameId + 1 else iri.getNameId
    names.use(lastNameId)
    iri
  }

  /** jelly-core caches typed literals whole; asked for an empty one, it caches but the datatype. */
  private def typedLiteral(
      encoder: NodeEncoder[Term],
      lex: String,
      datatype: String
  ): RdfLiteral = {
    val id = encoder.makeDtLiteral(Literal("", null, datatype), "", datatype).getDatatype
    datatypes.use(id)
    RdfLiteral.newInstance().setLex(lex).setDatatype(id)
  }
}

/** Watches that no row evicts a lookup entry that it uses itself. */
private[jellyspark] final class EvictionGuard(table: String, size: Int) {
  import RefusedException.refuse

  private[this] val usedInRow = new Array[Long](size + 1)
  private[this] var row = 1L
  private[this] var lastSet = 0

  def endRow(): Unit = row += 1

  def use(id: Int): Unit = usedInRow(id) = row

  /** An entry is written, with the id that it has on the wire. */
  def set(wireId: Int): Unit = {
    lastSet = if (wireId == 0) lastSet + 1 else wireId
    if (usedInRow(lastSet) == row) {
      refuse(s"the row needs more entries at once than the $table table of $size holds")
    }
  }
}
