package org.jellyspark.source

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.terms._

/** Creates `UTF8String`s in N-Triples syntax, equal to those of [[NTriples.format]], directly from
  * the bytes of a file. Rare cases are converted through [[Term]].
  *
  * Text is copied eight bytes at a time (SWAR), and up to seven bytes past its end. This avoids a
  * loop over single bytes, whose end processors often mispredict. The invariants are: an output
  * array has [[Slack]] bytes after every text, and the next text overwrites whatever was written
  * there; an input with fewer than eight bytes after its end is first copied to a longer array.
  */
private[source] final class Utf8StringTermFactory(limit: RowLimit) extends TermFactory {
  import Utf8StringTermFactory._

  // Short texts share an array, because an array of its own would take more memory than the text. A
  // full array is replaced, never overwritten, so that the strings remain valid.
  private[this] var block: Array[Byte] = NoBytes
  private[this] var used = 0

  // The index in the output array at which the current text begins.
  private[this] var start = 0

  // A direct-mapped cache from language tags to the ends of literals. `tags` holds the tags, of up
  // to eight bytes each, as numbers.
  private[this] val tags = new Array[Long](TagSlots)
  private[this] val tagEnds = new Array[LiteralEnd](TagSlots)

  // Messages are short streams, which set the same prefixes and datatypes again and again.
  private[this] val prefixes = new TermCache[IriStart](RepeatedBits)
  private[this] val datatypes = new TermCache[LiteralEnd](RepeatedBits)

  override def text(bytes: Array[Byte], from: Int, to: Int): AnyRef =
    if (!Utf8.isValid(bytes, from, to)) null
    else {
      val out = begin(0L + to - from)
      System.arraycopy(bytes, from, out, start, to - from)
      UTF8String.fromBytes(out, start, to - from)
    }

  override def noPrefix: AnyRef = NoPrefix

  override def prefix(bytes: Array[Byte], from: Int, to: Int): AnyRef = {
    val known = prefixes.find(bytes, from, to - from)
    if (known != null) known
    else {
      val start = new IriStart(bytes, from, to)
      prefixes.put(bytes, from, to - from, start, LongestEscape * (to - from))
      start
    }
  }

  /** Creates an IRI in its own array, because a lookup table may keep it for long. */
  override def iri(prefix: AnyRef, name: Array[Byte], from: Int, to: Int): AnyRef = {
    val start = prefix.asInstanceOf[IriStart]
    limit.check(0L + start.size + to - from + 1)
    val size = start.size + to - from + 1
    val iri = new Array[Byte](size + Swar.Size)
    made += ObjectSize + size
    val isPlain = start.isPlain && to + Swar.Size <= name.length && {
      start.put(iri)
      copyIri(name, from, to, iri, start.size) == 0 && !looksLikeLabel(iri)
    }
    if (isPlain) {
      iri(size - 1) = '>'
      UTF8String.fromBytes(iri, 0, size)
    } else format(Iri(start.prefix + string(name, from, to)))
  }

  override def blankNode(label: Array[Byte], from: Int, to: Int): AnyRef =
    if (NTriplesBytes.isAsciiLabel(label, from, to)) {
      val out = begin(2L + to - from)
      out(start) = '_'
      out(start + 1) = ':'
      System.arraycopy(label, from, out, start + 2, to - from)
      UTF8String.fromBytes(out, start, 2 + to - from)
    } else if (Utf8.isValid(label, from, to)) format(BlankNode(string(label, from, to)))
    else null

  override def tagged(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      tagFrom: Int,
      tagTo: Int
  ): AnyRef = {
    val end = tagEnd(bytes, tagFrom, tagTo)
    if (end != null) literal(bytes, from, to, end)
    else if (!Utf8.isValid(bytes, from, to) || !Utf8.isValid(bytes, tagFrom, tagTo)) null
    else {
      val tag = BaseDirection.check(string(bytes, tagFrom, tagTo))
      format(Literal.tagged(string(bytes, from, to), tag))
    }
  }

  override def noDatatype: AnyRef = Untyped

  /** Returns the end of a literal with the datatype. */
  override def datatype(iri: Array[Byte], from: Int, to: Int): AnyRef = {
    val known = datatypes.find(iri, from, to - from)
    if (known != null) known
    else {
      val end = new LiteralEnd("\"^^".getBytes(UTF_8) ++ utf8Of(Iri(string(iri, from, to))))
      datatypes.put(iri, from, to - from, end, LongestEscape * (to - from))
      end
    }
  }

  override def typed(bytes: Array[Byte], from: Int, to: Int, datatype: AnyRef): AnyRef =
    literal(bytes, from, to, datatype.asInstanceOf[LiteralEnd])

  override def triple(subject: AnyRef, predicate: AnyRef, obj: AnyRef): AnyRef =
    new TripleText(subject, predicate, obj)

  /** Copies the text of each term only once, however deeply it is nested. */
  override def whole(triple: AnyRef): AnyRef = {
    val text = triple.asInstanceOf[TripleText]
    limit.check(text.size)
    val utf8 = new Array[Byte](text.size.toInt)
    made += ObjectSize + text.size
    text.put(utf8, 0)
    UTF8String.fromBytes(utf8)
  }

  override def canonical(text: Array[Byte], from: Int, to: Int): AnyRef = {
    made += ObjectSize
    UTF8String.fromBytes(text, from, to - from)
  }

  override def of(term: Term): AnyRef = format(term)

  override def utf8(term: AnyRef): Array[Byte] = term.asInstanceOf[UTF8String].getBytes

  override def size(value: AnyRef): Long = sizeOf(value)

  private def literal(bytes: Array[Byte], from: Int, to: Int, end: LiteralEnd): AnyRef =
    if (to + Swar.Size > bytes.length) {
      literal(Arrays.copyOfRange(bytes, from, to + Swar.Size), 0, to - from, end)
    } else {
      val out = begin(1L + to - from + end.size)
      out(start) = '"'
      var i = from
      var at = start + 1
      var mayNeedEscape = 0L
      var all = 0L
      while (i + Swar.Size <= to) {
        val word = Swar.load(bytes, i)
        mayNeedEscape |= LiteralEscapes.mayNeedEscape(word)
        all |= word
        Swar.store(word, out, at)
        i += Swar.Size
        at += Swar.Size
      }
      val word = Swar.load(bytes, i)
      mayNeedEscape |= Swar.keepFirst(LiteralEscapes.mayNeedEscape(word), to - i)
      all |= Swar.keepFirst(word, to - i)
      Swar.store(word, out, at)
      end.put(out, at + to - i)
      if (Swar.nonAscii(all) != 0 && !Utf8.isValid(bytes, from, to)) null
      else if (Swar.nonAscii(mayNeedEscape) != 0) escapedLiteral(bytes, from, to, end)
      else UTF8String.fromBytes(out, start, 1 + to - from + end.size)
    }

  private def escapedLiteral(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      end: LiteralEnd
  ): UTF8String = {
    val out = begin(1 + LiteralEscapes.maxSize(bytes, from, to) + end.size)
    out(start) = '"'
    val at = LiteralEscapes.put(bytes, from, to, out, start + 1)
    end.put(out, at)
    val size = at + end.size - start
    if (out eq block) used = start + size
    UTF8String.fromBytes(out, start, size)
  }

  /** The end of a literal with a language tag; null if canonical N-Triples does not write the tag,
    * or writes it with escapes.
    */
  private def tagEnd(bytes: Array[Byte], from: Int, to: Int): LiteralEnd =
    if (to - from > Swar.Size) newTagEnd(bytes, from, to)
    else {
      val tag = Swar.loadUpTo(bytes, from, to)
      val slot = ((tag * TagMix) >>> (64 - TagBits)).toInt
      val known = tagEnds(slot)
      if (known != null && tags(slot) == tag && known.size == 2 + to - from) known
      else {
        val end = newTagEnd(bytes, from, to)
        if (end != null) {
          tags(slot) = tag
          tagEnds(slot) = end
        }
        end
      }
    }

  private def newTagEnd(bytes: Array[Byte], from: Int, to: Int): LiteralEnd =
    if (NTriplesBytes.endOfLanguage(bytes, from, to) != NTriplesBytes.NoTag) {
      new LiteralEnd("\"@".getBytes(UTF_8) ++ Arrays.copyOfRange(bytes, from, to))
    } else null

  /** Makes room for `size` bytes at `start`, and [[Slack]] more.
    *
    * Returns the array instead of storing it in a field for every text, because storing a reference
    * into an old-generation object triggers a GC write barrier.
    */
  private def begin(size: Long): Array[Byte] =
    if (size > MaxShared) {
      limit.check(size)
      made += ObjectSize + size
      start = 0
      new Array[Byte](size.toInt + Slack)
    } else {
      if (size.toInt + Slack > block.length - used) {
        block = new Array[Byte](BlockSize)
        made += BlockSize
        used = 0
      }
      start = used
      used += size.toInt
      block
    }

  private def format(term: Term): UTF8String = {
    val utf8 = utf8Of(term)
    made += ObjectSize + utf8.length
    UTF8String.fromBytes(utf8)
  }

  private def utf8Of(term: Term): Array[Byte] = {
    val bound = term.sizeBound
    if (bound > limit.bytes) limit.check(term.size)
    term.utf8
  }
}

private[jellyspark] object Utf8StringTermFactory extends TermFactory.Provider {
  override def newFactory(limit: RowLimit): TermFactory = new Utf8StringTermFactory(limit)

  /** The beginning of an IRI: `<` and the prefix. */
  private final class IriStart(bytes: Array[Byte], from: Int, to: Int) {
    val size: Int = 1 + to - from
    private[this] val text = new Array[Byte](size + Swar.Size)
    text(0) = '<'
    System.arraycopy(bytes, from, text, 1, to - from)

    def prefix: String = string(text, 1, size)

    /** Whether the prefix needs no escapes in N-Triples. Copies the prefix onto itself to find out.
      */
    val isPlain: Boolean = copyIri(text, 1, size, text, 1) == 0

    def put(out: Array[Byte]): Unit = System.arraycopy(text, 0, out, 0, size)
  }

  /** A triple term whose terms are available as text. */
  private final class TripleText(subject: AnyRef, predicate: AnyRef, obj: AnyRef) {
    val size: Long = NTriplesSize.AroundTriple + sizeOf(subject) + sizeOf(predicate) + sizeOf(obj)

    /** Writes the text to `out` at `at`.
      *
      * @return
      *   the index after it
      */
    def put(out: Array[Byte], at: Int): Int = {
      var end = putText(TripleStart, out, at)
      end = putText(subject, out, end)
      end = putText(Blank, out, end)
      end = putText(predicate, out, end)
      end = putText(Blank, out, end)
      end = putText(obj, out, end)
      putText(TripleEnd, out, end)
    }

    private def putText(term: AnyRef, out: Array[Byte], at: Int): Int = term match {
      case triple: TripleText => triple.put(out, at)
      case text               =>
        val utf8 = text.asInstanceOf[UTF8String]
        utf8.writeToMemory(out, (Platform.BYTE_ARRAY_OFFSET + at).toLong)
        at + utf8.numBytes
    }
  }

  private def sizeOf(term: AnyRef): Long = term match {
    case triple: TripleText => triple.size
    case text               => text.asInstanceOf[UTF8String].numBytes.toLong
  }

  /** The end of a literal: `"`, and a language tag or a datatype. */
  private final class LiteralEnd(text: Array[Byte]) {
    private[this] val words = Arrays.copyOf(text, MaxInWords)

    def size: Int = text.length

    /** Writes the end to `out` at `at`. It may overwrite up to [[Slack]] bytes, including the end
      * itself.
      */
    def put(out: Array[Byte], at: Int): Unit =
      if (text.length > MaxInWords) System.arraycopy(text, 0, out, at, text.length)
      else {
        Swar.store(Swar.load(words, 0), out, at)
        Swar.store(Swar.load(words, 8), out, at + 8)
        Swar.store(Swar.load(words, 16), out, at + 16)
        Swar.store(Swar.load(words, 24), out, at + 24)
        Swar.store(Swar.load(words, 32), out, at + 32)
        Swar.store(Swar.load(words, 40), out, at + 40)
      }
  }

  private final val BlockSize = 1 << 16
  // A longer text gets its own array, so that at most 1/16 of a block remains unused.
  private final val MaxShared = BlockSize / 16
  // Long enough for the frequent datatypes of XML Schema.
  private final val MaxInWords = 48
  private final val Slack = MaxInWords
  // The approximate memory of a string without its text, in bytes.
  private final val ObjectSize = 64L

  // The size of the cache of language tags, and the multiplier of its multiplicative hash (2^64 /
  // golden ratio).
  private final val TagBits = 5
  private final val TagSlots = 1 << TagBits
  // The logarithm to base 2 of the number of prefixes and datatypes to remember.
  private final val RepeatedBits = 5
  // The most bytes that N-Triples writes for one byte of an IRI.
  private final val LongestEscape = 10L
  private final val TagMix = 0x9e3779b97f4a7c15L

  private val NoBytes = new Array[Byte](0)
  private val NoPrefix = new IriStart(NoBytes, 0, 0)
  private val Untyped = new LiteralEnd(Array[Byte]('"'))
  private val Blank = UTF8String.fromString(" ")
  private val TripleStart = UTF8String.fromString("<<( ")
  private val TripleEnd = UTF8String.fromString(" )>>")

  /** Copies a part of an IRI. `bytes` must have at least eight more bytes after it.
    *
    * @return
    *   0 if the part needs no escapes; any other number if it may need some
    */
  private def copyIri(bytes: Array[Byte], from: Int, to: Int, out: Array[Byte], at: Int): Long = {
    var mayNeedEscape = 0L
    var i = from
    while (i + Swar.Size <= to) {
      val word = Swar.load(bytes, i)
      mayNeedEscape |= NTriplesSwar.iriNeedsEscape(word)
      Swar.store(word, out, at + i - from)
      i += Swar.Size
    }
    val word = Swar.load(bytes, i)
    Swar.store(word, out, at + i - from)
    mayNeedEscape | Swar.keepFirst(NTriplesSwar.iriNeedsEscape(word), to - i)
  }

  /** Whether an IRI, which includes its `<`, begins with `_:` and would be read back as a blank
    * node.
    */
  private def looksLikeLabel(iri: Array[Byte]): Boolean = iri(1) == '_' && iri(2) == ':'

  private def string(bytes: Array[Byte], from: Int, to: Int): String =
    new String(bytes, from, to - from, UTF_8)
}
