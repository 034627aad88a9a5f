package org.jellyspark.codec

import java.io.IOException

import com.google.protobuf.CodedInputStream
import eu.neverblink.jelly.core.ProtoDecoderConverter
import eu.neverblink.jelly.core.internal.DecoderBase
import eu.neverblink.jelly.core.internal.proto.GraphBase
import eu.neverblink.jelly.core.proto.v1._

/** A row that breaks the format; [[PatchReader]] adds where it is. */
private[codec] final class MalformedRowException(val expected: String, val found: String)
    extends Exception(null, null, false, false)

/** Decodes the rows of one Jelly-Patch stream, in order, on jelly-core's base decoder.
  *
  * What jelly-core lets pass and the specification does not (ids never set, text that is not UTF-8,
  * options that come late or change) is checked here, before jelly-core sees it.
  */
private[codec] final class PatchDecoder private (options: ReadOptions, terms: TermDecoder)
    extends DecoderBase[Term, String](terms) {
  import PatchDecoder._

  def this(options: ReadOptions) = this(options, new TermDecoder)

  private[this] val wire = new PatchRowMessage
  private[this] var header: OptionsMessage = _
  private[this] var names: LookupGuard = _
  private[this] var prefixes: LookupGuard = _
  private[this] var datatypes: LookupGuard = _
  private[this] var lastPrefixId = 0
  private[this] var lastNameId = 0
  private[this] var streamTypeOrNull: StreamType = _
  private[this] var isTriples = false

  /** The stream's options; null before its first row. */
  def streamOptions: PatchOptions =
    if (header == null) null
    else
      PatchOptions(
        streamType = streamTypeOrNull,
        statementType = if (isTriples) StatementType.Triples else StatementType.Quads,
        maxNameTableSize = header.maxNameTableSize,
        maxPrefixTableSize = header.maxPrefixTableSize,
        maxDatatypeTableSize = header.maxDatatypeTableSize,
        rdfStar = header.rdfStar,
        generalized = header.generalized
      )

  /** The stream's type; null before its first row. */
  def streamType: StreamType = streamTypeOrNull

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
    try wire.parse(CodedInputStream.newInstance(bytes, start, length))
    catch {
      case _: IOException => malformed("a row in Protobuf's wire format", "bytes that are none")
      // The one thing for which jelly-core's parser throws it.
      case _: RuntimeException => tooDeep()
    }
    if (header == null && wire.kind != PatchWire.Row.Options) {
      malformed("the options row, the first of a stream", describe(wire.kind))
    }
    target.clear()
    val isPatchRow = decodeKind(target)
    if (isPatchRow && terms.takeSuspicion()) {
      try Utf8Check.row(CodedInputStream.newInstance(bytes, start, length))
      catch { case _: IOException => malformed("text in UTF-8", "bytes that are none") }
    }
    isPatchRow
  }

  private def decodeKind(target: PatchRow): Boolean = {
    import PatchWire.Row
    wire.kind match {
      case Row.StatementAdd    => statement(PatchOp.Add, target)
      case Row.StatementDelete => statement(PatchOp.Delete, target)
      case Row.Name            =>
        names.set(wire.entry)
        getNameDecoder.updateNames(wire.entry.asName)
        false
      case Row.Prefix =>
        prefixes.set(wire.entry)
        getNameDecoder.updatePrefixes(wire.entry.asPrefix)
        false
      case Row.Datatype =>
        datatypes.set(wire.entry)
        getDatatypeLookup.update(wire.entry.id, converter.makeDatatype(wire.entry.value))
        false
      case Row.NamespaceAdd      => namespace(PatchOp.PrefixAdd, target)
      case Row.NamespaceDelete   => namespace(PatchOp.PrefixDelete, target)
      case Row.Header            => headerRow(target)
      case Row.TransactionStart  => bare(PatchOp.TransactionStart, target)
      case Row.TransactionCommit => bare(PatchOp.TransactionCommit, target)
      case Row.TransactionAbort  => bare(PatchOp.TransactionAbort, target)
      case Row.Punctuation       =>
        if (streamTypeOrNull != StreamType.Punctuated) {
          malformed(s"no punctuation in a $streamTypeOrNull stream", "a punctuation")
        }
        bare(PatchOp.End, target)
      case Row.Options =>
        takeOptions()
        false
      case _ => malformed("a row with one of its fields set", "a row with none")
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
    } else if (found != header) {
      malformed("options equal to the stream's first", "other options")
    }
  }

  private def checkOptions(found: OptionsMessage): Unit = {
    if (found.version != PatchOptions.Version) {
      malformed(s"version ${PatchOptions.Version}", s"version ${unsigned(found.version)}")
    }
    streamTypeOrNull = StreamType.values.find(_.number == found.streamType).getOrElse {
      malformed("a stream type, 1 to 3", unsigned(found.streamType))
    }
    isTriples = StatementType.values
      .find(_.number == found.statementType)
      .getOrElse(malformed("a statement type, 1 or 2", unsigned(found.statementType))) ==
      StatementType.Triples
    val min = PatchOptions.MinNameTableSize
    checkTable("name", found.maxNameTableSize, min, options.maxNameTableSize)
    checkTable("prefix", found.maxPrefixTableSize, 0, options.maxPrefixTableSize)
    checkTable("datatype", found.maxDatatypeTableSize, 0, options.maxDatatypeTableSize)
  }

  private def checkTable(table: String, size: Int, min: Int, max: Int): Unit = {
    val found = Integer.toUnsignedLong(size)
    if (found < min || found > max) {
      malformed(s"a $table table of $min to $max entries", s"$found entries")
    }
  }

  private def statement(op: PatchOp, target: PatchRow): Boolean = {
    val quad = wire.quad
    if (isTriples && quad.getGraph != null && options.strict) {
      malformed("no graph in a stream of triples", "a graph")
    }
    target.op = op
    check(quad.getSubject, lastSubject, "subject")
    target.subject = convertSubjectTermWrapped(quad)
    check(quad.getPredicate, lastPredicate, "predicate")
    target.predicate = convertPredicateTermWrapped(quad)
    check(quad.getObject, lastObject, "object")
    target.obj = convertObjectTermWrapped(quad)
    if (!isTriples) {
      if (quad.getGraph == null && lastGraph == null && options.strict) {
        malformed("a graph, as none is there to repeat", "no graph")
      }
      target.graph = graph(quad)
    }
    true
  }

  private def namespace(op: PatchOp, target: PatchRow): Boolean = {
    val ns = wire.namespace
    target.op = op
    target.name = ns.name
    if (ns.value != null) {
      check(ns.value, null, "IRI")
      target.value = convertTerm(ns.value)
    } else if (op == PatchOp.PrefixAdd) malformed("an IRI in a namespace_add row", "none")
    if (isTriples) {
      if (ns.getGraph != null) {
        if (options.strict) malformed("no graph in a stream of triples", "a graph")
        // Its ids count for the terms that follow, though it means nothing.
        check(ns.getGraph, null, "graph")
        convertGraphTerm(ns.getGraph)
      }
    } else target.graph = graph(ns)
    true
  }

  private def headerRow(target: PatchRow): Boolean = {
    if (wire.header.value == null) malformed("a value in a header row", "none")
    check(wire.header.value, null, "value")
    target.op = PatchOp.Header
    target.name = wire.header.key
    target.value = convertTerm(wire.header.value)
    true
  }

  /** A graph that is not set repeats the last one; where there was none, jelly-core answers null.
    */
  private def graph(message: GraphBase): Term = {
    if (message.getGraph != null) check(message.getGraph, null, "graph")
    val graph = convertGraphTermWrapped(message)
    if (graph == null) DefaultGraph else graph
  }

  /** Checks a term's ids, in the order in which jelly-core is about to resolve them. */
  private def check(term: AnyRef, last: Term, what: String): Unit = term match {
    case iri: RdfIri.Mutable =>
      if (iri.getPrefixId != 0) lastPrefixId = iri.getPrefixId
      if (lastPrefixId != 0) prefixes.checkReference(lastPrefixId)
      lastNameId = if (iri.getNameId == 0) lastNameId + 1 else iri.getNameId
      names.checkReference(lastNameId)
    case literal: RdfLiteral.Mutable =>
      if (literal.hasDatatype) datatypes.checkReference(literal.getDatatype)
    case triple: RdfTriple.Mutable =>
      check(triple.getSubject, null, "subject")
      check(triple.getPredicate, null, "predicate")
      check(triple.getObject, null, "object")
    case null if last == null => malformed(s"a $what, as none is there to repeat", s"no $what")
    case _                    =>
  }
}

private[codec] object PatchDecoder {

  /** Nesting that jelly-core's parser is to allow in a row's message. */
  val RemainingDepth: Int = QuotedTriple.MaxDepth - 1

  def malformed(expected: String, found: String): Nothing =
    throw new MalformedRowException(expected, found)

  def tooDeep(): Nothing = malformed(
    s"quoted triples nested at most ${QuotedTriple.MaxDepth} deep",
    "deeper ones"
  )

  def unsigned(number: Int): String = Integer.toUnsignedString(number)

  private def describe(kind: Int): String =
    if (kind == 0) "a row with no field set" else s"a row with field $kind"
}

/** Which ids of a lookup have been set. */
private final class LookupGuard(table: String, size: Int) {
  import PatchDecoder.{malformed, unsigned}

  private[this] val isSet = new java.util.BitSet
  private[this] var lastSet = 0

  def set(entry: EntryMessage): Unit = {
    lastSet = if (entry.id == 0) lastSet + 1 else entry.id
    if (lastSet < 1 || lastSet > size) {
      malformed(s"a $table entry with an id of 1 to $size", s"id ${unsigned(lastSet)}")
    }
    isSet.set(lastSet)
  }

  def checkReference(id: Int): Unit =
    if (id < 1 || id > size || !isSet.get(id)) {
      malformed(s"a $table id that an entry has set", s"id ${unsigned(id)}")
    }
}

/** Makes [[Term]]s for jelly-core's decoder. */
private final class TermDecoder extends ProtoDecoderConverter[Term, String] {
  private[this] var suspicion = false

  /** Whether, since last asked, a text held the character that Java puts in place of bytes that are
    * not UTF-8. It may have been in the file; only the bytes can tell.
    */
  def takeSuspicion(): Boolean = {
    val taken = suspicion
    suspicion = false
    taken
  }

  override def makeSimpleLiteral(lex: String): Term = Literal.simple(watch(lex))

  override def makeLangLiteral(lex: String, lang: String): Term =
    Literal.tagged(watch(lex), watch(lang))

  override def makeDtLiteral(lex: String, datatype: String): Term =
    Literal.typed(watch(lex), datatype)

  override def makeDatatype(datatype: String): String = datatype

  override def makeBlankNode(label: String): Term = BlankNode(watch(label))

  override def makeIriNode(iri: String): Term = Iri(iri)

  override def makeTripleNode(s: Term, p: Term, o: Term): Term = QuotedTriple(s, p, o)

  override def makeDefaultGraphNode(): Term = DefaultGraph

  private def watch(text: String): String = {
    if (text.indexOf('\uFFFD'.toInt) >= 0) suspicion = true
    text
  }
}
