package org.jellyspark.jelly

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.internal.DecoderBase
import eu.neverblink.jelly.core.internal.proto.{GraphBase, SpoBase}
import eu.neverblink.jelly.core.proto.v1._
import org.jellyspark.core._
import org.jellyspark.core.MalformedRowException.{checkQuoted, malformed, noKind}

/** Decodes the rows of one Jelly stream, in order, on jelly-core's base decoder.
  *
  * What jelly-core lets pass and the specifications do not (ids never set, options that change) is
  * checked here, before jelly-core sees it; the bytes themselves by [[WireCheck]].
  *
  * @param message
  *   parses the format's rows
  * @param fields
  *   the numbers of a row's fields
  */
private[jellyspark] abstract class JellyDecoder[M <: RowMessage](
    options: ReadOptions,
    schema: MessageSchema,
    message: M,
    fields: RowFields
) extends DecoderBase[Term, String](TermDecoder) {
  import Malformed._

  private[this] val wireCheck = new WireCheck(schema)
  private[this] var firstOptions: OptionsMessage = _
  private[this] var names: LookupGuard = _
  private[this] var prefixes: LookupGuard = _
  private[this] var datatypes: LookupGuard = _
  private[this] var lastPrefixId = 0
  private[this] var lastNameId = 0

  override protected def getNameTableSize: Int = names.size

  override protected def getPrefixTableSize: Int = prefixes.size

  override protected def getDatatypeTableSize: Int = datatypes.size

  /** Takes the first options row; the lookups' sizes are of no concern.
    *
    * @throws MalformedRowException
    *   if the options break the format
    */
  protected def begin(message: M): Unit

  /** Decodes a row of the format's own. If it is one for the reader, `target` gets a code.
    *
    * @throws MalformedRowException
    *   if it breaks the format
    */
  protected def decodeOwn(message: M, target: Row): Unit

  /** Whether there have been options. */
  final def hasOptions: Boolean = firstOptions != null

  /** Decodes one row's message.
    *
    * @return
    *   whether it was a row for the reader, now in `target`, and not the stream's own (options,
    *   lookup entry)
    * @throws MalformedRowException
    *   if it breaks the format
    */
  final def decode(bytes: Array[Byte], start: Int, length: Int, target: Row): Boolean = {
    wireCheck.row(bytes, start, length)
    message.parse(CodedInputStream.newInstance(bytes, start, length))
    val kind = message.kind
    if (kind == 0) noKind()
    if (!hasOptions && kind != fields.options) {
      malformed("the options row first", s"a ${fields.nameOf(kind)} row")
    }
    target.clear()
    if (kind == fields.name) setName(message.entry)
    else if (kind == fields.prefix) setPrefix(message.entry)
    else if (kind == fields.datatype) setDatatype(message.entry)
    else if (kind == fields.options) takeOptions(message.options)
    else decodeOwn(message, target)
    target.op != null
  }

  private def takeOptions(found: OptionsMessage): Unit =
    if (!hasOptions) {
      begin(message)
      names = guard(TableSize.Name, found.maxNameTableSize, options.maxNameTableSize)
      prefixes = guard(TableSize.Prefix, found.maxPrefixTableSize, options.maxPrefixTableSize)
      datatypes =
        guard(TableSize.Datatype, found.maxDatatypeTableSize, options.maxDatatypeTableSize)
      firstOptions = found
    } else if (found.content != firstOptions.content)
      malformed("the same options as before", "others")

  private def guard(bounds: TableSize, size: Int, max: Int): LookupGuard = {
    val found = Integer.toUnsignedLong(size)
    if (found < bounds.min || found > max) {
      malformed(s"a ${bounds.table} table of ${bounds.min} to $max entries", s"one of $found")
    }
    new LookupGuard(bounds.table, size)
  }

  private def setName(entry: EntryMessage): Unit = {
    names.set(entry.id)
    getNameDecoder.updateNames(entry.asName)
  }

  private def setPrefix(entry: EntryMessage): Unit = {
    prefixes.set(entry.id)
    getNameDecoder.updatePrefixes(entry.asPrefix)
  }

  private def setDatatype(entry: EntryMessage): Unit = {
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

  /** Decodes the graph of a quad. One that is not set repeats the last; where there was none, it is
    * the default graph, but not for strict reading.
    */
  protected final def graphOfQuad(message: GraphBase): Term = {
    if (options.strict && message.getGraph == null && lastGraph == null) nothingToRepeat("a graph")
    graph(message)
  }

  /** As [[graphOfQuad]], where strict reading takes the default graph as well. */
  protected final def graph(message: GraphBase): Term = {
    if (message.getGraph != null) check(message.getGraph)
    val graph = convertGraphTermWrapped(message)
    if (graph == null) DefaultGraph else graph
  }

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
      checkInner(triple.getSubject, "subject")
      checkInner(triple.getPredicate, "predicate")
      checkInner(triple.getObject, "object")
    case _ =>
  }

  private def checkInner(term: AnyRef, what: String): Unit = {
    checkQuoted(term, what)
    check(term)
  }
}
