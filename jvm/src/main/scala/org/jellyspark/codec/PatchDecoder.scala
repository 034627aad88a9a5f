package org.jellyspark.codec

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.ProtoDecoderConverter
import eu.neverblink.jelly.core.internal.DecoderBase
import eu.neverblink.jelly.core.internal.proto.GraphBase
import eu.neverblink.jelly.core.proto.v1._

/** The input breaks the format; [[PatchReader]] adds where. */
private[codec] final class MalformedRowException(val expected: String, val found: String)
    extends Exception(expected, null, false, false)

/** Decodes the rows of one Jelly-Patch stream, in order, on jelly-core's base decoder.
  *
  * What jelly-core lets pass and the specification does not (ids never set, options that come late
  * or change) is checked here, before jelly-core sees it; the bytes themselves by [[WireCheck]].
  */
private[codec] final class PatchDecoder(options: ReadOptions)
    extends DecoderBase[Term, String](TermDecoder) {
  import PatchDecoder._

  private[this] val wireCheck = new WireCheck
  private[this] val wire = new PatchRowMessage
  private[this] var header: OptionsMessage = _
  private[this] var names: LookupGuard = _
  private[this] var prefixes: LookupGuard = _
  private[this] var datatypes: LookupGuard = _
  private[this] var lastPrefixId = 0
  private[this] var lastNameId = 0
  private[this] var isTriples = false

  /** The stream's type; null before its first row. */
  var streamType: StreamType = _

  override protected def getNameTableSize: Int = header.maxNameTableSize

  override protected def getPrefixTableSize: Int = header.maxPrefixTableSize

  override protected def getDatatypeTableSize: Int = header.maxDatatypeTableSize

  /** Decodes one wire row.
    *
    * @return
    *   whether it was a row of the patch, now in `target`, and not the stream's own (options,
    *   lookup entry)
    * @throws MalformedRowException
    *   if it breaks the format
    */
  def decode(bytes: Array[Byte], start: Int, length: Int, target: PatchRow): Boolean = {
    wireCheck.row(bytes, start, length)
    wire.parse(CodedInputStream.newInstance(bytes, start, length))
    if (header == null && wire.kind != PatchWire.Row.Options) {
      if (wire.kind == 0) noKind()
      malformed("the options row first", s"a ${PatchWire.Row.name(wire.kind)} row")
    }
    target.clear()
    decodeKind(target)
  }

  private def decodeKind(target: PatchRow): Boolean = {
    import PatchWire.Row
    wire.kind match {
      case Row.StatementAdd    => statement(PatchOp.Add, target)
      case Row.StatementDelete => statement(PatchOp.Delete, target)
      case Row.Name            =>
        names.set(wire.entry.id)
        getNameDecoder.updateNames(wire.entry.asName)
        false
      case Row.Prefix =>
        prefixes.set(wire.entry.id)
        getNameDecoder.updatePrefixes(wire.entry.asPrefix)
        false
      case Row.Datatype =>
        datatypes.set(wire.entry.id)
        getDatatypeLookup.update(wire.entry.id, wire.entry.value)
        false
      case Row.NamespaceAdd      => namespace(PatchOp.PrefixAdd, target)
      case Row.NamespaceDelete   => namespace(PatchOp.PrefixDelete, target)
      case Row.Header            => headerRow(target)
      case Row.TransactionStart  => bare(PatchOp.TransactionStart, target)
      case Row.TransactionCommit => bare(PatchOp.TransactionCommit, target)
      case Row.TransactionAbort  => bare(PatchOp.TransactionAbort, target)
      case Row.Punctuation       =>
        if (streamType != StreamType.Punctuated) {
          malformed(s"no punctuation in a $streamType stream", "one")
        }
        bare(PatchOp.End, target)
      case Row.Options =>
        takeOptions()
        false
      case _ => noKind()
    }
  }

  private def bare(op: PatchOp, target: PatchRow): Boolean = {
    target.op = op
    true
  }

  private def takeOptions(): Unit = {
    val found = wire.options
    if (header == null) {
      checkOptions(found)
      header = found
      names = new LookupGuard("name", header.maxNameTableSize)
      prefixes = new LookupGuard("prefix", header.maxPrefixTableSize)
      datatypes = new LookupGuard("datatype", header.maxDatatypeTableSize)
    } else if (found != header) malformed("the same options as before", "others")
  }

  private def checkOptions(found: OptionsMessage): Unit = {
    if (found.version != PatchOptions.Version) {
      malformed(s"version ${PatchOptions.Version}", s"version ${unsigned(found.version)}")
    }
    streamType = StreamType.values
      .find(_.number == found.streamType)
      .getOrElse(malformed("stream type 1, 2 or 3", s"stream type ${found.streamType}"))
    val statementType = StatementType.values
      .find(_.number == found.statementType)
      .getOrElse(malformed("statement type 1 or 2", s"statement type ${found.statementType}"))
    isTriples = statementType == StatementType.Triples
    val min = PatchOptions.MinNameTableSize
    checkTable("name", found.maxNameTableSize, min, options.maxNameTableSize)
    checkTable("prefix", found.maxPrefixTableSize, 0, options.maxPrefixTableSize)
    checkTable("datatype", found.maxDatatypeTableSize, 0, options.maxDatatypeTableSize)
  }

  private def checkTable(table: String, size: Int, min: Int, max: Int): Unit = {
    val found = Integer.toUnsignedLong(size)
    if (found < min || found > max) {
      malformed(s"a $table table of $min to $max entries", s"one of $found")
    }
  }

  private def statement(op: PatchOp, target: PatchRow): Boolean = {
    val quad = wire.quad
    target.op = op
    checkOrRepeat(quad.getSubject, lastSubject, "a subject")
    target.subject = convertSubjectTermWrapped(quad)
    checkOrRepeat(quad.getPredicate, lastPredicate, "a predicate")
    target.predicate = convertPredicateTermWrapped(quad)
    checkOrRepeat(quad.getObject, lastObject, "an object")
    target.obj = convertObjectTermWrapped(quad)
    if (isTriples) {
      // The graph of a triple is not even decoded: the last ids stay as they are.
      if (quad.getGraph != null) refuseGraph()
    } else {
      if (quad.getGraph == null && lastGraph == null && options.strict) nothingToRepeat("a graph")
      target.graph = graph(quad)
    }
    true
  }

  private def namespace(op: PatchOp, target: PatchRow): Boolean = {
    val ns = wire.namespace
    target.op = op
    target.name = ns.name
    if (ns.value != null) {
      check(ns.value)
      target.value = convertTerm(ns.value)
    } else if (op == PatchOp.PrefixAdd) malformed("the namespace's IRI", "none")
    if (!isTriples) target.graph = graph(ns)
    else if (ns.getGraph != null) {
      refuseGraph()
      // It means nothing, but its ids count for the terms that follow.
      check(ns.getGraph)
      convertGraphTerm(ns.getGraph)
    }
    true
  }

  private def headerRow(target: PatchRow): Boolean = {
    if (wire.header.value == null) malformed("a header's value", "none")
    check(wire.header.value)
    target.op = PatchOp.Header
    target.name = wire.header.key
    target.value = convertTerm(wire.header.value)
    true
  }

  private def refuseGraph(): Unit =
    if (options.strict) malformed("no graph in a stream of triples", "one")

  /** A graph that is not set repeats the last one; where there was none, jelly-core answers null.
    */
  private def graph(message: GraphBase): Term = {
    if (message.getGraph != null) check(message.getGraph)
    val graph = convertGraphTermWrapped(message)
    if (graph == null) DefaultGraph else graph
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

private[codec] object PatchDecoder {

  def malformed(expected: String, found: String): Nothing =
    throw new MalformedRowException(expected, found)

  def unsigned(number: Int): String = Integer.toUnsignedString(number)

  def noMessage(length: Int): Nothing =
    malformed("a row's message", s"$length bytes that are none")

  private def noKind(): Nothing = malformed("a row of a known kind", "none")

  private def nothingToRepeat(what: String): Nothing =
    malformed(what, "none, and none before to repeat")

  def tooDeep(): Nothing =
    malformed(s"triples quoted at most ${QuotedTriple.MaxDepth} deep", "deeper ones")
}

/** Which ids of a lookup have been set. */
private final class LookupGuard(table: String, size: Int) {
  import PatchDecoder.{malformed, unsigned}

  private[this] val isSet = new java.util.BitSet
  private[this] var lastSet = 0

  /** An entry comes, with the id that it has on the wire. */
  def set(wireId: Int): Unit = {
    lastSet = if (wireId == 0) lastSet + 1 else wireId
    if (lastSet < 1 || lastSet > size) {
      malformed(s"a $table entry with an id up to $size", s"id ${unsigned(lastSet)}")
    }
    isSet.set(lastSet)
  }

  /** A term refers to an entry. */
  def checkReference(id: Int): Unit = {
    if (id < 1 || id > size) malformed(s"a $table id up to $size", s"id ${unsigned(id)}")
    if (!isSet.get(id)) malformed(s"a $table id that was set before", s"id $id")
  }
}

/** Makes [[Term]]s for jelly-core's decoder. */
private object TermDecoder extends ProtoDecoderConverter[Term, String] {
  override def makeSimpleLiteral(lex: String): Term = Literal.simple(lex)

  override def makeLangLiteral(lex: String, lang: String): Term = Literal.tagged(lex, lang)

  override def makeDtLiteral(lex: String, datatype: String): Term = Literal.typed(lex, datatype)

  override def makeDatatype(datatype: String): String = datatype

  override def makeBlankNode(label: String): Term = BlankNode(label)

  override def makeIriNode(iri: String): Term = Iri(iri)

  override def makeTripleNode(s: Term, p: Term, o: Term): Term = QuotedTriple(s, p, o)

  override def makeDefaultGraphNode(): Term = DefaultGraph
}
