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

  // Of the text that is being made.
  private[this] var out: Array[Byte] = _
  private[this] var start = 0
  private[this] var size = 0
  private[this] var at = 0

  override def text(bytes: Array[Byte], from: Int, to: Int): AnyRef = {
    begin(to - from)
    append(bytes, from, to)
    end()
  }

  /** In an array of its own, as it may stay for long. */
  override def iri(
      prefix: Array[Byte],
      prefixLength: Int,
      name: Array[Byte],
      nameLength: Int
  ): AnyRef = {
    val length = prefixLength + nameLength
    val iri = new Array[Byte](length + 2)
    System.arraycopy(prefix, 0, iri, 1, prefixLength)
    System.arraycopy(name, 0, iri, 1 + prefixLength, nameLength)
    UTF8String.fromBytes(bracketed(iri, 0))
  }

  override def blankNode(label: Array[Byte], from: Int, to: Int): AnyRef =
    if (isPlainLabel(label, from, to)) {
      begin(2 + to - from)
      append('_')
      append(':')
      append(label, from, to)
      end()
    } else format(BlankNode(string(label, from, to)))

  override def literal(bytes: Array[Byte], from: Int, to: Int, isPlain: Boolean): AnyRef = {
    quote(bytes, from, to, isPlain, 1)
    append('"')
    end()
  }

  override def tagged(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      tagFrom: Int,
      tagTo: Int
  ): AnyRef =
    if (all(IsTag, bytes, tagFrom, tagTo)) {
      quote(bytes, from, to, isPlain, 2 + tagTo - tagFrom)
      append('"')
      append('@')
      append(bytes, tagFrom, tagTo)
      end()
    } else format(Literal.tagged(string(bytes, from, to), string(bytes, tagFrom, tagTo)))

  /** What follows a lexical form. */
  override def datatype(iri: Array[Byte], length: Int): AnyRef = {
    val suffix = new Array[Byte](length + 5)
    suffix(0) = '"'
    suffix(1) = '^'
    suffix(2) = '^'
    System.arraycopy(iri, 0, suffix, 4, length)
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
    quote(bytes, from, to, isPlain, suffix.length)
    append(suffix, 0, suffix.length)
    end()
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

  /** Begins a text of so many bytes. */
  private def begin(size: Int): Unit = {
    this.size = size
    if (size > MaxShared) {
      out = new Array[Byte](size)
      start = 0
    } else {
      if (size > block.length - used) {
        block = new Array[Byte](BlockSize)
        used = 0
      }
      out = block
      start = used
      used += size
    }
    at = start
  }

  private def append(b: Char): Unit = {
    out(at) = b.toByte
    at += 1
  }

  private def append(bytes: Array[Byte], from: Int, to: Int): Unit = {
    System.arraycopy(bytes, from, out, at, to - from)
    at += to - from
  }

  private def end(): UTF8String = UTF8String.fromBytes(out, start, size)

  /** Begins a literal: all but the quote at its end, and the bytes from there on. */
  private def quote(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      restLength: Int
  ): Unit = {
    val escapes = if (isPlain) 0 else countEscapes(bytes, from, to)
    begin(1 + to - from + escapes + restLength)
    append('"')
    if (escapes == 0) append(bytes, from, to)
    else {
      var i = from
      while (i < to) {
        val escaped = Escapes(bytes(i) & 0xff)
        if (escaped == 0) append((bytes(i) & 0xff).toChar)
        else {
          append('\\')
          append(escaped.toChar)
        }
        i += 1
      }
    }
  }
}

private[source] object TextTerms extends TermFactory.Provider {
  override def newFactory(): TermFactory = new TextTerms

  private final val BlockSize = 1 << 16
  // A longer text gets an array of its own, so that little of a block is left unused.
  private final val MaxShared = BlockSize / 16

  private val NoBytes = new Array[Byte](0)
  private val Blank = UTF8String.fromString(" ")
  private val QuotedStart = UTF8String.fromString("<< ")
  private val QuotedEnd = UTF8String.fromString(" >>")

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

  private def countEscapes(bytes: Array[Byte], from: Int, to: Int): Int = {
    var count = 0
    var i = from
    while (i < to) {
      if (Escapes(bytes(i) & 0xff) != 0) count += 1
      i += 1
    }
    count
  }

  private def isPlainLabel(label: Array[Byte], from: Int, to: Int): Boolean =
    from < to && IsLabelStart(label(from) & 0xff) && label(to - 1) != '.' &&
      all(IsLabelPart, label, from + 1, to)

  /** Puts brackets around an IRI, from `at` to the end, which has room for them; with escapes where
    * it needs some.
    */
  private def bracketed(bytes: Array[Byte], at: Int): Array[Byte] = {
    val (from, to) = (at + 1, bytes.length - 1)
    if (all(IsIri, bytes, from, to) && !looksLikeLabel(bytes, from, to)) {
      bytes(at) = '<'
      bytes(to) = '>'
      bytes
    } else bytes.take(at) ++ Iri(string(bytes, from, to)).utf8
  }

  /** In brackets it would be a blank node. */
  private def looksLikeLabel(bytes: Array[Byte], from: Int, to: Int): Boolean =
    to - from >= 2 && bytes(from) == '_' && bytes(from + 1) == ':'

  private def string(bytes: Array[Byte], from: Int, to: Int): String =
    new String(bytes, from, to - from, UTF_8)

  private def format(term: Term): UTF8String = UTF8String.fromBytes(term.utf8)
}
