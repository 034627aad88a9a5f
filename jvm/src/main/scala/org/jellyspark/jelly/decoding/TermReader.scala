package org.jellyspark.jelly.decoding

import java.util.Arrays

import org.jellyspark.core.terms.{TripleTerm, TermFactory}
import org.jellyspark.jelly.wire.{Malformed, NonCanonical, PackedVarint, Tag, Wire}
import org.jellyspark.jelly.lookups.DatatypeTable

/** Reads the terms of one position, and holds the last one, which rows may repeat.
  *
  * If rows are filtered, terms are lazy: a reader only records the components of a term (the ids of
  * an IRI, or the location of a literal's bytes), and creates the term when a row that passes the
  * filter needs it. What it has recorded must remain valid until then, so whoever overwrites it
  * must first call a method: [[keepName]], [[keepPrefix]] or [[keepDatatype]] before replacing an
  * entry, and [[keep]] before overwriting the bytes.
  *
  * @param held
  *   receives the terms
  * @param isWanted
  *   whether terms are created at all; if not, only the ids matter to which later IRIs are relative
  * @param isLazy
  *   whether a term is only created when [[term]] is called
  * @param allowed
  *   the terms that a filter allows; null if there is no filter on this position
  * @param features
  *   checks terms against the stream's options; null if no check is needed
  * @param depth
  *   the number of triple terms around the position
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
  private[this] val sizes = lookups.sizes
  // The filter's decisions about IRIs, by name id: the stamp of an IRI that passes, or the negated
  // stamp of one that does not. Any other value means that there is no decision: see IriTable on
  // stamps.
  private[this] var verdicts = new Array[Long](if (allowed == null) 0 else FirstVerdicts)

  private[this] var kind = TermKind.Iri
  private[this] var isMade = true
  // The ids of an IRI.
  private[this] var prefix = 0
  private[this] var name = 0
  // The bytes of a blank node's label or of a literal's lexical form, and of its language tag.
  private[this] var source: Array[Byte] = _
  private[this] var from = 0
  private[this] var to = 0
  private[this] var tagFrom = 0
  private[this] var tagTo = 0
  // The id of a literal's datatype.
  private[this] var datatype = DatatypeTable.NoDatatype
  // A copy of the source, after the source has been overwritten.
  private[this] var kept: Array[Byte] = Array.emptyByteArray
  // Readers for the terms of triple terms, which never repeat a term. Created with the first
  // triple.
  private[this] var inner: Array[TermReader] = _

  /** Whether there is a term to repeat. */
  var isSet: Boolean = false

  /** Whether the term passes the filter or, before the first term, whether null passes. */
  var passes: Boolean = allowed == null || allowed.nulls

  /** The term, as created by the factory; null for the default graph.
    *
    * @throws NonCanonical
    *   if the term is created now and is not valid UTF-8
    */
  def term: AnyRef = {
    if (!isMade) make()
    held.terms(position)
  }

  /** Reads a term.
    *
    * @param kind
    *   the kind of the term, from [[TermKind]]
    * @param from
    *   the index at which the content of its field begins
    * @throws MalformedRowException
    *   if the term is malformed
    * @throws NonCanonical
    *   if the term is not in canonical form, or not valid UTF-8
    */
  def read(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    if (features != null) features.check(position, kind)
    this.kind = kind
    if (kind == TermKind.Iri) readIri(bytes, from, to)
    else if (kind == TermKind.Literal) { if (isNeeded) readLiteral(bytes, from, to) }
    else if (kind == TermKind.BlankNode) { if (isNeeded) note(bytes, from, to) }
    else if (kind == TermKind.Triple) readTriple(bytes, from, to)
    else if (from < to) throw NonCanonical
    take()
  }

  /** Takes the last IRI of the lookup tables as the term. */
  def takeIri(): Unit = {
    kind = TermKind.Iri
    prefix = iris.lastPrefix
    name = iris.lastName
    take()
  }

  /** Repeats the last term.
    *
    * @throws MalformedRowException
    *   if there is no last term
    */
  def repeat(): Unit = if (!isSet) Malformed.nothingToRepeat(WithArticle(position))

  /** Begins another stream, in which there is no term yet. The caller clears [[HeldTerms]]. */
  def restart(): Unit = {
    isSet = false
    isMade = true
    passes = allowed == null || allowed.nulls
    if (kept.length > MaxSpare) kept = Array.emptyByteArray
  }

  /** Holds the default graph. */
  def setDefault(): Unit = {
    isSet = true
    kind = TermKind.DefaultGraph
    held.terms(position) = null
    isMade = true
    if (allowed != null) passes = allowed.nulls
  }

  /** Copies the bytes of a term that has not been created yet, before they are overwritten. */
  def keep(): Unit = {
    val hasBytes = kind == TermKind.Literal || kind == TermKind.BlankNode
    if (!isMade && hasBytes && (source ne kept)) {
      val length = math.max(to, tagTo) - from
      if (length > kept.length) kept = new Array[Byte](length + math.min(length, MaxSpare))
      System.arraycopy(source, from, kept, 0, length)
      to -= from
      tagFrom -= from
      tagTo -= from
      from = 0
      source = kept
    }
  }

  /** Creates a term that refers to a name entry, before the entry is replaced. */
  def keepName(id: Int): Unit = if (!isMade && kind == TermKind.Iri && name == id) make()

  /** Like [[keepName]], but for a prefix entry. */
  def keepPrefix(id: Int): Unit = if (!isMade && kind == TermKind.Iri && prefix == id) make()

  /** Like [[keepName]], but for a datatype entry. */
  def keepDatatype(id: Int): Unit =
    if (!isMade && kind == TermKind.Literal && datatype == id) make()

  private def take(): Unit = {
    isSet = true
    if (isWanted) {
      isMade = false
      if (!isLazy || kind == TermKind.Triple) make()
    }
    if (allowed != null) passes = isAllowed
  }

  private def isNeeded: Boolean = isWanted || allowed != null

  private def readIri(bytes: Array[Byte], from: Int, to: Int): Unit = {
    var prefixId = 0
    var nameId = 0
    var at = from
    if (at < to && bytes(at) == Tag.PrefixId) {
      val read = PackedVarint.read(bytes, at + 1, to)
      prefixId = PackedVarint.number(read)
      at = PackedVarint.next(read)
    }
    if (at < to) {
      if (bytes(at) != Tag.NameId) throw NonCanonical
      val read = PackedVarint.read(bytes, at + 1, to)
      nameId = PackedVarint.number(read)
      if (PackedVarint.next(read) != to) throw NonCanonical
    }
    iris.refer(prefixId, nameId)
    prefix = iris.lastPrefix
    name = iris.lastName
  }

  private def readLiteral(bytes: Array[Byte], start: Int, end: Int): Unit = {
    note(bytes, start, start)
    datatype = DatatypeTable.NoDatatype
    var at = start
    if (at < end && bytes(at) == Tag.Lex) {
      val read = PackedVarint.read(bytes, at + 1, end)
      from = PackedVarint.next(read)
      to = from + PackedVarint.number(read)
      at = to
      if (to < from || to > end) throw NonCanonical
    }
    if (at < end) {
      val read = PackedVarint.read(bytes, at + 1, end)
      if (bytes(at) == Tag.Datatype) {
        if (PackedVarint.next(read) != end) throw NonCanonical
        datatype = PackedVarint.number(read)
        datatypes.check(datatype)
      } else if (bytes(at) == Tag.Langtag) {
        tagFrom = PackedVarint.next(read)
        tagTo = tagFrom + PackedVarint.number(read)
        if (tagTo != end) throw NonCanonical
      } else throw NonCanonical
    }
  }

  private def note(bytes: Array[Byte], from: Int, to: Int): Unit = {
    // Storing a reference triggers a GC write barrier, even if it is the same reference.
    if (source ne bytes) source = bytes
    this.from = from
    this.to = to
    tagFrom = from
    tagTo = from
  }

  private def readTriple(bytes: Array[Byte], from: Int, to: Int): Unit = {
    // Nested too deeply, which MessageWalker reports.
    if (depth == TripleTerm.MaxDepth) throw NonCanonical
    if (inner == null) {
      val held = new HeldTerms
      inner = Array.tabulate(Position.OfTriple)(
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
    if (place < Position.OfTriple) missing(place)
  }

  private def missing(place: Int): Nothing = {
    TripleTerm.checkPresent(null, Names(place))
    throw NonCanonical
  }

  private def make(): Unit = {
    held.terms(position) =
      if (kind == TermKind.Iri) iris.iri(prefix, name)
      else if (kind == TermKind.Literal) orNonCanonical(makeLiteral())
      else if (kind == TermKind.BlankNode) orNonCanonical(factory.blankNode(source, from, to))
      else if (kind == TermKind.Triple) makeTriple()
      else null
    isMade = true
    if (depth > 0 && kind != TermKind.Triple)
      sizes.tripleSize.add(factory.size(held.terms(position)))
  }

  private def makeTriple(): AnyRef = {
    val triple = factory.triple(inner(0).term, inner(1).term, inner(2).term)
    // These terms are never repeated, and would keep the memory of every level alive.
    inner.foreach(_.drop())
    if (depth > 0) triple
    else {
      val made = factory.whole(triple)
      sizes.noteTriple(factory.size(made))
      made
    }
  }

  /** Forgets the term, which no row will repeat. */
  private def drop(): Unit = held.terms(position) = null

  private def makeLiteral(): AnyRef =
    if (tagFrom < tagTo) factory.tagged(source, from, to, tagFrom, tagTo)
    else factory.typed(source, from, to, datatypes.datatype(datatype))

  private def orNonCanonical(term: AnyRef): AnyRef = {
    if (term == null) throw NonCanonical
    term
  }

  private def isAllowed: Boolean =
    if (kind == TermKind.DefaultGraph) allowed.nulls
    else if (allowed.any) true
    else if (kind == TermKind.Iri) isIriAllowed
    else
      allowed.hasKind(kind) && {
        if (!isWanted || !isMade) make()
        allowed.has(factory.utf8(held.terms(position)))
      }

  /** Decides about an IRI once, for as long as its lookup entries remain. */
  private def isIriAllowed: Boolean = {
    val stamp = iris.stamp(prefix, name)
    if (name >= verdicts.length) verdicts = Arrays.copyOf(verdicts, 2 * name)
    if (math.abs(verdicts(name)) != stamp) {
      verdicts(name) = if (allowed.hasIri(iris.text(prefix, name))) stamp else -stamp
    }
    verdicts(name) > 0
  }
}

private[jelly] object TermReader {
  private final val FirstVerdicts = 64

  /** The most spare room to allocate after a kept text for longer ones, and the longest array to
    * keep for another stream, in bytes.
    */
  private final val MaxSpare = 1 << 16

  private val Names = Array("subject", "predicate", "object")
  private val WithArticle = Array("a subject", "a predicate", "an object", "a graph")

  /** Creates a reader for terms that no row repeats and no filter tests. */
  def unfiltered(lookups: Lookups, isWanted: Boolean): TermReader =
    new TermReader(Position.Object, lookups, new HeldTerms, isWanted, isLazy = false, null, null)
}
