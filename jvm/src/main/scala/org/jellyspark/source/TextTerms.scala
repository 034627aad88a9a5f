package org.jellyspark.source

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.terms._

/** Makes columns' strings: terms in N-Triples syntax, as [[NTriples.format]] has it, of the bytes
  * that a file holds. What is rare goes through [[Term]].
  *
  * Bytes are copied by eight, as their number is hard to foresee for a processor: what is copied
  * behind a text is overwritten by what follows it. Where eight more cannot be read it goes the
  * long way.
  */
private[source] final class TextTerms extends TermFactory {
  import TextTerms._

  // What is read once lies with others in an array, which is not used again when it is full: an
  // array of its own would cost more than the text. The strings stay valid.
  private[this] var block: Array[Byte] = NoBytes
  private[this] var used = 0

  // Where the text that is being made begins.
  private[this] var start = 0

  // By some bits of their bytes: short language tags, and what ends a literal that has them.
  private[this] val tags = new Array[Long](TagSlots)
  private[this] val tagEnds = new Array[LiteralEnd](TagSlots)

  override def text(bytes: Array[Byte], from: Int, to: Int): AnyRef =
    if (!Utf8.isValid(bytes, from, to)) null
    else {
      val out = begin(to - from)
      System.arraycopy(bytes, from, out, start, to - from)
      UTF8String.fromBytes(out, start, to - from)
    }

  override def noPrefix: AnyRef = NoPrefix

  override def prefix(bytes: Array[Byte], from: Int, to: Int): AnyRef =
    new IriStart(Arrays.copyOfRange(bytes, from, to))

  /** In an array of its own, as it may stay for long. */
  override def iri(prefix: AnyRef, name: Array[Byte], from: Int, to: Int): AnyRef = {
    val start = prefix.asInstanceOf[IriStart]
    val size = start.size + to - from + 1
    val iri = new Array[Byte](size + Swar.Size)
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
      val out = begin(2 + to - from)
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
    else format(Literal.tagged(string(bytes, from, to), string(bytes, tagFrom, tagTo)))
  }

  override def noDatatype: AnyRef = Untyped

  /** What follows a lexical form. */
  override def datatype(iri: Array[Byte], from: Int, to: Int): AnyRef =
    new LiteralEnd("\"^^".getBytes(UTF_8) ++ Iri(string(iri, from, to)).utf8)

  override def typed(bytes: Array[Byte], from: Int, to: Int, datatype: AnyRef): AnyRef =
    literal(bytes, from, to, datatype.asInstanceOf[LiteralEnd])

  override def quoted(subject: AnyRef, predicate: AnyRef, obj: AnyRef): AnyRef =
    UTF8String.concat(
      QuotedStart,
      subject.asInstanceOf[UTF8String],
      Blank,
      predicate.asInstanceOf[UTF8String],
      Blank,
      obj.asInstanceOf[UTF8String],
      QuotedEnd
    )

  override def utf8(term: AnyRef): Array[Byte] = term.asInstanceOf[UTF8String].getBytes

  private def literal(bytes: Array[Byte], from: Int, to: Int, end: LiteralEnd): AnyRef =
    if (to + Swar.Size > bytes.length) {
      literal(Arrays.copyOfRange(bytes, from, to + Swar.Size), 0, to - from, end)
    } else {
      val size = 1 + to - from + end.size
      val out = begin(size)
      out(start) = '"'
      var i = from
      var at = start + 1
      var doubts = 0L
      var all = 0L
      while (i + Swar.Size <= to) {
        val word = Swar.load(bytes, i)
        doubts |= escapable(word)
        all |= word
        Swar.store(word, out, at)
        i += Swar.Size
        at += Swar.Size
      }
      val word = Swar.load(bytes, i)
      doubts |= Swar.keepFirst(escapable(word), to - i)
      all |= Swar.keepFirst(word, to - i)
      Swar.store(word, out, at)
      end.put(out, at + to - i)
      if (Swar.nonAscii(all) != 0 && !Utf8.isValid(bytes, from, to)) null
      else if (Swar.nonAscii(doubts) != 0) escapedLiteral(bytes, from, to, end)
      else UTF8String.fromBytes(out, start, size)
    }

  private def escapedLiteral(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      end: LiteralEnd
  ): UTF8String = {
    val out = begin(1 + escapedSize(bytes, from, to) + end.size)
    out(start) = '"'
    var at = start + 1
    var copied = from
    var i = nextEscape(bytes, from, to)
    while (i < to) {
      System.arraycopy(bytes, copied, out, at, i - copied)
      at += i - copied
      out(at) = '\\'
      out(at + 1) = Escapes(bytes(i) & 0xff)
      at += 2
      copied = i + 1
      i = nextEscape(bytes, copied, to)
    }
    System.arraycopy(bytes, copied, out, at, to - copied)
    at += to - copied
    end.put(out, at)
    val size = at + end.size - start
    if (out eq block) used = start + size
    UTF8String.fromBytes(out, start, size)
  }

  /** What ends a literal with a language tag; null for one that goes the long way. */
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
    if (NTriplesBytes.isLanguageTag(bytes, from, to)) {
      new LiteralEnd("\"@".getBytes(UTF_8) ++ Arrays.copyOfRange(bytes, from, to))
    } else null

  /** Makes room for a text of so many bytes, at `start`, and some that may be overwritten; answers
    * where. The array is not kept in a field for each text: that would cost the garbage collector
    * more than all the rest.
    */
  private def begin(size: Int): Array[Byte] =
    if (size > MaxShared) {
      start = 0
      new Array[Byte](size + Slack)
    } else {
      if (size + Slack > block.length - used) {
        block = new Array[Byte](BlockSize)
        used = 0
      }
      start = used
      used += size
      block
    }
}

private[source] object TextTerms extends TermFactory.Provider {
  override def newFactory(): TermFactory = new TextTerms

  /** What an IRI begins with: a bracket, and its prefix. */
  private final class IriStart(bytes: Array[Byte]) {
    private[this] val text = '<'.toByte +: bytes

    def size: Int = text.length

    def prefix: String = string(bytes, 0, bytes.length)

    /** Whether the prefix stands as it is in N-Triples. */
    val isPlain: Boolean = {
      val padded = Arrays.copyOf(bytes, bytes.length + Swar.Size)
      copyIri(padded, 0, bytes.length, padded, 0) == 0
    }

    def put(out: Array[Byte]): Unit = System.arraycopy(text, 0, out, 0, text.length)
  }

  /** What follows the lexical form of a literal: a quote, and a datatype or a language tag. */
  private final class LiteralEnd(text: Array[Byte]) {
    private[this] val words = Arrays.copyOf(text, math.max(text.length, MaxInWords))

    def size: Int = text.length

    /** Puts it at `at`, and up to [[Slack]] bytes more. */
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
  // A longer text gets an array of its own, so that little of a block is left unused.
  private final val MaxShared = BlockSize / 16
  // The datatypes of XML Schema that are frequent are not longer.
  private final val MaxInWords = 48
  private final val Slack = MaxInWords

  private final val TagBits = 5
  private final val TagSlots = 1 << TagBits
  private final val TagMix = 0x9e3779b97f4a7c15L

  private val NoBytes = new Array[Byte](0)
  private val NoPrefix = new IriStart(NoBytes)
  private val Untyped = new LiteralEnd(Array[Byte]('"'))
  private val Blank = UTF8String.fromString(" ")
  private val QuotedStart = UTF8String.fromString("<< ")
  private val QuotedEnd = UTF8String.fromString(" >>")

  // Bytes, eight times.
  private val Ones = Swar.broadcast(1)
  private val UpToReturn = Swar.broadcast('\r' + 1)
  private val Quotes = Swar.broadcast('"')
  private val Backslashes = Swar.broadcast('\\')

  // By the byte: what follows the backslash where a literal needs one, else 0.
  private val Escapes: Array[Byte] = {
    val escapes = new Array[Byte](256)
    Seq('"' -> '"', '\\' -> '\\', '\n' -> 'n', '\r' -> 'r').foreach { case (c, escape) =>
      escapes(c.toInt) = escape.toByte
    }
    escapes
  }

  /** How many bytes a lexical form is at most with its escapes; exactly so, if it is long. */
  private def escapedSize(bytes: Array[Byte], from: Int, to: Int): Int =
    if (to - from <= MaxShared / 4) 2 * (to - from)
    else {
      var size = to - from
      var i = nextEscape(bytes, from, to)
      while (i < to) {
        size += 1
        i = nextEscape(bytes, i + 1, to)
      }
      size
    }

  /** Has the highest bit of a byte set where the word has a byte that a literal may need an escape
    * for, or there is a lower such byte.
    */
  private def escapable(word: Long): Long =
    // A line feed, a carriage return, and what else is up to there; a quote; a backslash.
    ((word - UpToReturn) | ((word ^ Quotes) - Ones) | ((word ^ Backslashes) - Ones)) & ~word

  /** Where the next byte is that a literal needs an escape for, at the latest `to`. */
  private def nextEscape(bytes: Array[Byte], from: Int, to: Int): Int = {
    var i = from
    while (i + Swar.Size <= to) {
      val marks = NTriplesSwar.literalNeedsEscape(Swar.load(bytes, i))
      if (marks != 0) return i + Swar.firstMarked(marks)
      i += Swar.Size
    }
    while (i < to && Escapes(bytes(i) & 0xff) == 0) i += 1
    i
  }

  /** Copies a part of an IRI, of which eight bytes more can be read; answers bits if it may have to
    * be written in another way.
    */
  private def copyIri(bytes: Array[Byte], from: Int, to: Int, out: Array[Byte], at: Int): Long = {
    var doubts = 0L
    var i = from
    while (i + Swar.Size <= to) {
      val word = Swar.load(bytes, i)
      doubts |= NTriplesSwar.iriNeedsEscape(word)
      Swar.store(word, out, at + i - from)
      i += Swar.Size
    }
    val word = Swar.load(bytes, i)
    Swar.store(word, out, at + i - from)
    doubts | Swar.keepFirst(NTriplesSwar.iriNeedsEscape(word), to - i)
  }

  /** In brackets it would be a blank node. */
  private def looksLikeLabel(iri: Array[Byte]): Boolean = iri(1) == '_' && iri(2) == ':'

  private def string(bytes: Array[Byte], from: Int, to: Int): String =
    new String(bytes, from, to - from, UTF_8)

  private def format(term: Term): UTF8String = UTF8String.fromBytes(term.utf8)
}
