package org.jellyspark.jelly

import eu.neverblink.jelly.core.internal.DecoderBase
import eu.neverblink.jelly.core.internal.proto.{GraphBase, SpoBase}
import eu.neverblink.jelly.core.proto.v1._
import org.jellyspark.core._
import org.jellyspark.core.MalformedRowException.malformed

/** Decodes the terms of one Jelly stream, in order, on jelly-core's base decoder.
  *
  * What jelly-core lets pass and the specifications do not (ids never set) is checked here, before
  * jelly-core sees it; the bytes themselves by [[WireCheck]].
  */
private[jellyspark] abstract class JellyDecoder(options: ReadOptions)
    extends DecoderBase[Term, String](TermDecoder) {
  import Malformed._

  private[this] var names: LookupGuard = _
  private[this] var prefixes: LookupGuard = _
  private[this] var datatypes: LookupGuard = _
  private[this] var lastPrefixId = 0
  private[this] var lastNameId = 0

  override protected def getNameTableSize: Int = names.size

  override protected def getPrefixTableSize: Int = prefixes.size

  override protected def getDatatypeTableSize: Int = datatypes.size

  /** Whether there have been options. */
  protected final def hasTables: Boolean = names != null

  /** Takes the sizes of the lookups that the stream's options ask for.
    *
    * @throws MalformedRowException
    *   if one is out of bounds
    */
  protected final def setTables(nameSize: Int, prefixSize: Int, datatypeSize: Int): Unit = {
    names = guard(TableSize.Name, nameSize, options.maxNameTableSize)
    prefixes = guard(TableSize.Prefix, prefixSize, options.maxPrefixTableSize)
    datatypes = guard(TableSize.Datatype, datatypeSize, options.maxDatatypeTableSize)
  }

  private def guard(bounds: TableSize, size: Int, max: Int): LookupGuard = {
    val found = Integer.toUnsignedLong(size)
    if (found < bounds.min || found > max) {
      malformed(s"a ${bounds.table} table of ${bounds.min} to $max entries", s"one of $found")
    }
    new LookupGuard(bounds.table, size)
  }

  protected final def setName(entry: EntryMessage): Unit = {
    names.set(entry.id)
    getNameDecoder.updateNames(entry.asName)
  }

  protected final def setPrefix(entry: EntryMessage): Unit = {
    prefixes.set(entry.id)
    getNameDecoder.updatePrefixes(entry.asPrefix)
  }

  protected final def setDatatype(entry: EntryMessage): Unit = {
    datatypes.set(entry.id)
    getDatatypeLookup.update(entry.id, entry.value)
  }

  /** Decodes a statement's subject, predicate and object, which may repeat those before. */
  protected final def statement(message: SpoBase, target: Row): Unit = {
    checkOrRepeat(message.getSubject, lastSubject, "a subject")
    target.subject = convertSubjectTermWrapped(message)
    checkOrRepeat(message.getPredicate, lastPredicate, "a predicate")
    target.predicate = convertPredicateTermWrapped(message)
    checkOrRepeat(message.getObject, lastObject, "an object")
    target.obj = convertObjectTermWrapped(message)
  }

  /** Decodes the graph of a quad, or of a prefix row. One that is not set repeats the last; where
    * there was none, it is the default graph.
    */
  protected final def graph(message: GraphBase): Term = {
    if (message.getGraph != null) check(message.getGraph)
    val graph = convertGraphTermWrapped(message)
    if (graph == null) DefaultGraph else graph
  }

  /** Whether there is a graph that a graph not set repeats. */
  protected final def hasLastGraph: Boolean = lastGraph != null

  /** Decodes a term that repeats none. */
  protected final def term(message: AnyRef): Term = {
    check(message)
    convertTerm(message)
  }

  /** As [[term]], where it may be the default graph. */
  protected final def graphTerm(message: AnyRef): Term = {
    check(message)
    convertGraphTerm(message)
  }

  private def checkOrRepeat(term: AnyRef, last: Term, what: String): Unit =
    if (term != null) check(term)
    else if (last == null) nothingToRepeat(what)

  /** Checks a term's ids, in the order in which jelly-core is about to resolve them. */
  private def check(term: AnyRef): Unit = term match {
    case iri: RdfIri.Mutable =>
      if (iri.getPrefixId != 0) lastPrefixId = iri.getPrefixId
      if (lastPrefixId != 0) prefixes.checkReference(lastPrefixId)
      lastNameId = if (iri.getNameId == 0) lastNameId + 1 else iri.getNameId
      names.checkReference(lastNameId)
    case literal: RdfLiteral.Mutable =>
      if (literal.hasDatatype) {
        if (literal.getDatatype == 0) malformed("a datatype id", "id 0")
        datatypes.checkReference(literal.getDatatype)
      }
    case triple: RdfTriple.Mutable =>
      checkQuoted(triple.getSubject, "subject")
      checkQuoted(triple.getPredicate, "predicate")
      checkQuoted(triple.getObject, "object")
    case _ =>
  }

  private def checkQuoted(term: AnyRef, what: String): Unit = {
    if (term == null) malformed("all terms of a quoted triple", s"no $what")
    check(term)
  }
}
