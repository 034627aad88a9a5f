package org.jellyspark.source

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.unsafe.types.UTF8String
import org.jellyspark.core._

/** Makes columns' strings: terms in N-Triples syntax, as [[NTriples.format]] has it, of the bytes
  * that a file holds. What is rare goes through [[Term]].
  */
private[source] final class TextTerms extends TermFactory {
  import TextTerms._

  // What is read once lies with others in an array, which is not used again when it is full: an
  // array of its own would cost more than the text. The strings stay valid.
  private[this] var block: Array[Byte] = NoBytes
  private[this] var used = 0

  // Where the text that is being made begins, and where it goes on.
  private[this] var start = 0
  private[this] var at = 0

  override def text(bytes: Array[Byte], from: Int, to: Int): AnyRef = {
    val out = begin(to - from)
    System.arraycopy(bytes, from, out, start, to - from)
    UTF8String.fromBytes(out, start, to - from)
  }

  /** In an array of its own, as it may stay for long. */
  override def iri(
      prefix: Array[Byte],
      prefixFrom: Int,
      prefixTo: Int,
      name: Array[Byte],
      nameFrom: Int,
      nameTo: Int
  ): AnyRef = {
    val prefixLength = prefixTo - prefixFrom
    val nameLength = nameTo - nameFrom
    val iri = new Array[Byte](prefixLength + nameLength + 2)
    System.arraycopy(prefix, prefixFrom, iri, 1, prefixLength)
    System.arraycopy(name, nameFrom, iri, 1 + prefixLength, nameLength)
    UTF8String.fromBytes(bracketed(iri, 0))
  }

  override def blankNode(label: Array[Byte], from: Int, to: Int): AnyRef =
    if (isPlainLabel(label, from, to)) {
      val out = begin(2 + to - from)
      out(start) = '_'
      out(start + 1) = ':'
      System.arraycopy(label, from, out, start + 2, to - from)
      UTF8String.fromBytes(out, start, 2 + to - from)
    } else format(BlankNode(string(label, from, to)))

  override def tagged(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      tagFrom: Int,
      tagTo: Int
  ): AnyRef =
    if (!all(IsTag, bytes, tagFrom, tagTo)) {
      format(Literal.tagged(string(bytes, from, to), string(bytes, tagFrom, tagTo)))
    } else {
      val tagLength = tagTo - tagFrom
      val out = quote(bytes, from, to, isPlain, 1 + tagLength)
      out(at) = '@'
      System.arraycopy(bytes, tagFrom, out, at + 1, tagLength)
      UTF8String.fromBytes(out, start, at + 1 + tagLength - start)
    }

  override def noDatatype: AnyRef = EndQuote

  /** What follows a lexical form. */
  override def datatype(iri: Array[Byte], from: Int, to: Int): AnyRef = {
    val suffix = new Array[Byte](to - from + 5)
    EndQuote.copyToArray(suffix)
    suffix(1) = '^'
    suffix(2) = '^'
    System.arraycopy(iri, from, suffix, 4, to - from)
    bracketed(suffix, 3)
  }

  override def typed(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      datatype: AnyRef
  ): AnyRef = {
    val suffix = datatype.asInstanceOf[Array[Byte]]
    val length = suffix.length - 1
    val out = quote(bytes, from, to, isPlain, length)
    if (length > 0) System.arraycopy(suffix, 1, out, at, length)
    UTF8String.fromBytes(out, start, at + length - start)
  }

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

  /** Makes room for a text of so many bytes, at `start`; answers where. The array is not kept in a
    * field for each text: that would cost the garbage collector more than all the rest.
    */
  private def begin(size: Int): Array[Byte] =
    if (size > MaxShared) {
      start = 0
      new Array[Byte](size)
    } else {
      if (size > block.length - used) {
        block = new Array[Byte](BlockSize)
        used = 0
      }
      start = used
      used += size
      block
    }

  /** Begins a literal: its lexical form, in quotes, and then so many bytes, at `at`. */
  private def quote(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      restLength: Int
  ): Array[Byte] =
    if (isPlain) {
      val length = to - from
      val out = begin(2 + length + restLength)
      val lex = start + 1
      out(lex - 1) = '"'
      System.arraycopy(bytes, from, out, lex, length)
      out(lex + length) = '"'
      at = lex + length + 1
      out
    } else {
      val escaped = escape(bytes, from, to)
      quote(escaped, 0, escaped.length, isPlain = true, restLength)
    }
}

private[source] object TextTerms extends TermFactory.Provider {
  override def newFactory(): TermFactory = new TextTerms

  private final val BlockSize = 1 << 16
  // A longer text gets an array of its own, so that little of a block is left unused.
  private final val MaxShared = BlockSize / 16

  private val NoBytes = new Array[Byte](0)
  private val EndQuote = Array[Byte]('"')
  private val Blank = UTF8String.fromString(" ")
  private val QuotedStart = UTF8String.fromString("<< ")
  private val QuotedEnd = UTF8String.fromString(" >>")

  // Bytes, eight times.
  private final val Eight = 0x0101010101010101L
  private final val UpToBlank = 0x21 * Eight
  private final val DoubleQuote = '"' * Eight
  private final val Backquote = '`' * Eight
  private final val Tilde = '~' * Eight
  private final val FromBrace = (0x80 - '{') * Eight
  private final val LowBits = 0x7f * Eight
  private final val HighBits = 0x8080808080808080L
  private final val Bracketlike = 0x62 * Eight

  // By the byte: what is ASCII, and in IRIs the bytes of other characters too.
  private val IsIri = Array.tabulate(256)(b => NTriples.isIriChar(b.toChar))
  private val IsTag = ofAscii(NTriples.isLanguageTagChar)
  private val IsLabelStart = ofAscii(NTriples.isLabelStart)
  private val IsLabelPart = ofAscii(NTriples.isLabelPart)

  // By the byte: what follows the backslash where a literal needs one, else 0.
  private val Escapes: Array[Byte] = {
    val escapes = new Array[Byte](256)
    Seq('"' -> '"', '\\' -> '\\', '\n' -> 'n', '\r' -> 'r').foreach { case (c, escape) =>
      escapes(c.toInt) = escape.toByte
    }
    escapes
  }

  private def ofAscii(test: Int => Boolean): Array[Boolean] =
    Array.tabulate(256)(b => b < 0x80 && test(b))

  private def all(test: Array[Boolean], bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i < to && test(bytes(i) & 0xff)) i += 1
    i == to
  }

  /** A lexical form with escapes where it needs some. */
  private def escape(bytes: Array[Byte], from: Int, to: Int): Array[Byte] = {
    var length = to - from
    var i = nextEscape(bytes, from, to)
    while (i < to) {
      length += 1
      i = nextEscape(bytes, i + 1, to)
    }
    val out = new Array[Byte](length)
    var at = 0
    var copied = from
    i = nextEscape(bytes, from, to)
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
    out
  }

  /** Where the next byte is that a literal needs an escape for, at the latest `to`. */
  private def nextEscape(bytes: Array[Byte], from: Int, to: Int): Int = {
    var i = from
    while (i + 8 <= to) {
      val marks = Utf8.literalEscapes(Words.at(bytes, i))
      if (marks != 0) return i + Words.first(marks)
      i += 8
    }
    while (i < to && Escapes(bytes(i) & 0xff) == 0) i += 1
    i
  }

  private def isPlainLabel(label: Array[Byte], from: Int, to: Int): Boolean =
    from < to && IsLabelStart(label(from) & 0xff) && label(to - 1) != '.' &&
      all(IsLabelPart, label, from + 1, to)

  /** Puts brackets around an IRI, from `at` to the end, which has room for them; with escapes where
    * it needs some.
    */
  private def bracketed(bytes: Array[Byte], at: Int): Array[Byte] = {
    val (from, to) = (at + 1, bytes.length - 1)
    if (isPlainIri(bytes, from, to) && !looksLikeLabel(bytes, from, to)) {
      bytes(at) = '<'
      bytes(to) = '>'
      bytes
    } else bytes.take(at) ++ Iri(string(bytes, from, to)).utf8
  }

  private def isPlainIri(bytes: Array[Byte], from: Int, to: Int): Boolean =
    if (to - from < 8) all(IsIri, bytes, from, to)
    else {
      var marks = doubtful(Words.at(bytes, to - 8))
      var i = from
      while (i < to - 8) {
        marks |= doubtful(Words.at(bytes, i))
        i += 8
      }
      marks == 0 || all(IsIri, bytes, from, to)
    }

  /** Has bits set where the word has a byte that may not stand in an IRI unescaped, or a `~`. */
  private def doubtful(word: Long): Long =
    Words.below(word, UpToBlank) | Words.equal(word, DoubleQuote) | Words.equal(word, Backquote) |
      // `{`, `|`, `}`, and what else is from there on.
      ((word & LowBits) + FromBrace) & ~word & HighBits |
      // `<`, `>`, `\`, `^`, `|`, `~` differ in these bits only.
      Words.equal(word | Bracketlike, Tilde)

  /** In brackets it would be a blank node. */
  private def looksLikeLabel(bytes: Array[Byte], from: Int, to: Int): Boolean =
    to - from >= 2 && bytes(from) == '_' && bytes(from + 1) == ':'

  private def string(bytes: Array[Byte], from: Int, to: Int): String =
    new String(bytes, from, to - from, UTF_8)

  private def format(term: Term): UTF8String = UTF8String.fromBytes(term.utf8)
}
