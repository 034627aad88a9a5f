package org.jellyspark.jelly.decoding

import java.util.Arrays

import org.jellyspark.core.errors.MalformedRowException.checkQuoted
import org.jellyspark.core.terms.TermFactory
import org.jellyspark.jelly.wire.{Malformed, NonCanonical, PackedVarint, Wire}

/** Reads the terms of one position of rows. A term stays until the next one comes, as rows may
  * repeat it; where rows are filtered it is made only when a row that passes has it.
  *
  * @param held
  *   where the term is
  * @param isWanted
  *   whether terms are made at all; if not, they only count for the ids of those that follow
  * @param isLazy
  *   whether a term waits until [[term]] is asked for
  * @param allowed
  *   what a filter asks of the terms; null for nothing
  * @param features
  *   what the stream's options announce, if that is to be checked; else null
  * @param depth
  *   in how many quoted triples the position is
  */
private[jellyspark] final class TermReader private[jelly] (
    position: Int,
    lookups: Lookups,
    held: HeldTerms,
    isWanted: Boolean,
    isLazy: Boolean,
    allowed: AllowedTerms,
    features: FeatureCheck,
    depth: Int = 0
) {
  import TermReader._

  private[this] val iris = lookups.iris
  private[this] val datatypes = lookups.datatypes
  private[this] val factory: TermFactory = lookups.factory
  // What the filter says of IRIs, by name id: their stamps, negative where they do not pass.
  private[this] var verdicts = new Array[Int](if (allowed == null) 0 else 64)

  private[this] var kind = Iri
  private[this] var made = true
  // An IRI's ids.
  private[this] var prefix = 0
  private[this] var name = 0
  // Where a blank node's label is, or a literal's lexical form, and its tag.
  private[this] var source: Array[Byte] = _
  private[this] var from = 0
  private[this] var to = 0
  private[this] var tagFrom = 0
  private[this] var tagTo = 0
  // A literal's datatype; 0 for none.
  private[this] var datatype = 0
  private[this] var kept: Array[Byte] = Array.emptyByteArray
  // The terms of a quoted triple.
  private[this] var inner: Array[TermReader] = _

  /** Whether there has been a term. */
  var isSet: Boolean = false

  /** Whether the term, or that there is none yet, passes the filter. */
  var passes: Boolean = allowed == null || allowed.nulls

  /** The term, as the factory made it; null for the default graph. */
  def term: AnyRef = {
    if (!made) make()
    held.terms(position)
  }

  /** Reads a term that is a field, from where its content begins.
    *
    * @throws MalformedRowException
    *   if it breaks the format
    * @throws NonCanonical
    *   if it is to be looked at closer
    */
  def read(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    if (features != null) features.check(position, kind)
    isSet = true
    this.kind = kind
    if (kind == Iri) readIri(bytes, from, to)
    else if (kind == Literal) { if (isNeeded) readLiteral(bytes, from, to) }
    else if (kind == BlankNode) { if (isNeeded) hold(bytes, from, to) }
    else if (kind == Triple) readTriple(bytes, from, to)
    else if (from < to) throw NonCanonical
    if (isWanted) {
      made = false
      if (!isLazy || kind == Triple) make()
    }
    if (allowed != null) passes = isAllowed
  }

  /** The term repeats the last one, which there must be. */
  def repeat(): Unit = if (!isSet) Malformed.nothingToRepeat(Names(position))

  /** There is no term, but the default graph. */
  def setDefault(): Unit = {
    isSet = true
    kind = DefaultGraph
    held.terms(position) = null
    made = true
    if (allowed != null) passes = allowed.nulls
  }

  /** The bytes that the term was read from are about to go. */
  def keep(): Unit = if (!made && (kind == Literal || kind == BlankNode) && (source ne kept)) {
    val length = math.max(to, tagTo) - from
    if (length > kept.length) kept = new Array[Byte](2 * length)
    System.arraycopy(source, from, kept, 0, length)
    to -= from
    tagFrom -= from
    tagTo -= from
    from = 0
    source = kept
  }

  /** The entry of a name id is about to be replaced. */
  def keepName(id: Int): Unit = if (!made && kind == Iri && name == id) make()

  /** The entry of a prefix id is about to be replaced. */
  def keepPrefix(id: Int): Unit = if (!made && kind == Iri && prefix == id) make()

  /** The entry of a datatype id is about to be replaced. */
  def keepDatatype(id: Int): Unit = if (!made && kind == Literal && datatype == id) make()

  private def isNeeded: Boolean = isWanted || allowed != null

  private def readIri(bytes: Array[Byte], from: Int, to: Int): Unit = {
    var prefixId = 0
    var nameId = 0
    var at = from
    if (at < to && bytes(at) == PrefixTag) {
      val read = PackedVarint.read(bytes, at + 1, to)
      prefixId = PackedVarint.number(read)
      at = PackedVarint.next(read)
    }
    if (at < to) {
      if (bytes(at) != NameTag) throw NonCanonical
      val read = PackedVarint.read(bytes, at + 1, to)
      nameId = PackedVarint.number(read)
      if (PackedVarint.next(read) != to) throw NonCanonical
    }
    iris.refer(prefixId, nameId)
    prefix = iris.lastPrefix
    name = iris.lastName
  }

  private def readLiteral(bytes: Array[Byte], start: Int, end: Int): Unit = {
    hold(bytes, start, start)
    datatype = 0
    var at = start
    if (at < end && bytes(at) == LexTag) {
      val read = PackedVarint.read(bytes, at + 1, end)
      from = PackedVarint.next(read)
      to = from + PackedVarint.number(read)
      at = to
      if (to < from || to > end) throw NonCanonical
    }
    if (at < end) {
      val read = PackedVarint.read(bytes, at + 1, end)
      if (bytes(at) == DatatypeTag) {
        if (PackedVarint.next(read) != end) throw NonCanonical
        datatype = PackedVarint.number(read)
        datatypes.check(datatype)
      } else if (bytes(at) == LangtagTag) {
        tagFrom = PackedVarint.next(read)
        tagTo = tagFrom + PackedVarint.number(read)
        if (tagTo != end) throw NonCanonical
      } else throw NonCanonical
    }
  }

  private def hold(bytes: Array[Byte], from: Int, to: Int): Unit = {
    // To store a reference is work for the garbage collector, even if it is the same.
    if (source ne bytes) source = bytes
    this.from = from
    this.to = to
    tagFrom = from
    tagTo = from
  }

  private def readTriple(bytes: Array[Byte], from: Int, to: Int): Unit = {
    // Too deep, which WireCheck says.
    if (depth == MaxDepth) throw NonCanonical
    if (inner == null) {
      val held = new HeldTerms
      inner = Array.tabulate(3)(
        new TermReader(_, lookups, held, isNeeded, isLazy = false, null, features, depth + 1)
      )
    }
    var at = from
    var place = 0
    while (at < to) {
      val tag = bytes(at)
      val field = tag >>> 3
      if ((tag & 7) != Wire.LengthDelimited || field < 1 || field > 12) throw NonCanonical
      val found = (field - 1) >> 2
      if (found < place) throw NonCanonical
      if (place < found) missing(place)
      val read = PackedVarint.read(bytes, at + 1, to)
      val start = PackedVarint.next(read)
      at = start + PackedVarint.number(read)
      if (at < start || at > to) throw NonCanonical
      inner(place).read((field - 1) & 3, bytes, start, at)
      place += 1
    }
    if (place < 3) missing(place)
  }

  private def missing(place: Int): Nothing = {
    checkQuoted(null, PlainNames(place))
    throw NonCanonical
  }

  private def make(): Unit = {
    held.terms(position) =
      if (kind == Iri) iris.iri(prefix, name)
      else if (kind == Literal) canonical(makeLiteral())
      else if (kind == BlankNode) canonical(factory.blankNode(source, from, to))
      else if (kind == Triple) factory.quoted(inner(0).term, inner(1).term, inner(2).term)
      else null
    made = true
  }

  private def makeLiteral(): AnyRef =
    if (tagFrom < tagTo) factory.tagged(source, from, to, tagFrom, tagTo)
    else factory.typed(source, from, to, datatypes.datatype(datatype))

  private def canonical(term: AnyRef): AnyRef = {
    if (term == null) throw NonCanonical
    term
  }

  private def isAllowed: Boolean =
    if (kind == DefaultGraph) allowed.nulls
    else if (allowed.any) true
    else if (kind == Iri) isIriAllowed
    else
      allowed.hasKind(kind) && {
        if (!isWanted || !made) make()
        allowed.has(factory.utf8(held.terms(position)))
      }

  /** Decided once as long as the entries of the IRI stay. */
  private def isIriAllowed: Boolean = {
    val stamp = iris.stamp(prefix, name)
    if (name >= verdicts.length) verdicts = Arrays.copyOf(verdicts, 2 * name)
    if (math.abs(verdicts(name)) != stamp) {
      verdicts(name) = if (allowed.hasIri(iris.text(prefix, name))) stamp else -stamp
    }
    verdicts(name) > 0
  }
}

/** The terms that rows may repeat, by position. */
private[jelly] final class HeldTerms {
  var terms: Array[AnyRef] = new Array[AnyRef](4)

  /** Has a new array hold them: the garbage collector makes it dear to store a new object in one
    * that is old.
    */
  def renew(): Unit = terms = terms.clone()
}

private[jellyspark] object TermReader {

  // The kinds of a term, in the order in which the fields of each position of a triple are.
  final val Iri = 0
  final val BlankNode = 1
  final val Literal = 2
  final val Triple = 3

  /** In the position of a graph. */
  final val DefaultGraph = 4

  final val Subject = 0
  final val Predicate = 1
  final val Object = 2
  final val Graph = 3

  private val PlainNames = Array("subject", "predicate", "object")
  private val Names = Array("a subject", "a predicate", "an object", "a graph")
  private val MaxDepth = org.jellyspark.core.terms.QuotedTriple.MaxDepth

  private[jelly] final val PrefixTag = Wire.Iri.PrefixId << 3 | Wire.Varint
  private[jelly] final val NameTag = Wire.Iri.NameId << 3 | Wire.Varint
  private[jelly] final val LexTag = Wire.Literal.Lex << 3 | Wire.LengthDelimited
  private[jelly] final val LangtagTag = Wire.Literal.Langtag << 3 | Wire.LengthDelimited
  private[jelly] final val DatatypeTag = Wire.Literal.Datatype << 3 | Wire.Varint
}
