package org.jellyspark.formats.rdfpatchthrift

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.formats.StatementRanges
import org.jellyspark.core.terms.{
  JenaDefaultGraph,
  Literal,
  LiteralEscapes,
  NTriplesBytes,
  NTriplesSwar
}

/** Finds the terms of a row that adds or deletes a statement, without decoding them. This works for
  * nearly all rows: those whose fields are in the order of their ids, and whose IRIs and labels
  * have no characters that canonical N-Triples escapes.
  *
  * In the file, the bytes around a text are those of fields and lengths, at least as many as
  * canonical N-Triples has there. So [[makeCanonical]] can write the terms in place, except for
  * literals with escapes.
  */
private[rdfpatchthrift] final class StatementStructs extends StatementRanges {
  import StatementStructs._

  // The text that was found last.
  private[this] var from, to = 0
  private[this] var limit = 0
  private[this] var isSubjectNode, isGraphNode = false
  // The kind of the object, and its lexical form, if it is a literal.
  private[this] var objectHead = 0
  private[this] var lexFrom, lexTo = 0
  private[this] var literalKind = Simple
  private[this] var isEscaped = false

  // The previous subject, if it is in the same array. Many statements repeat it, and comparing is
  // faster than scanning.
  private[this] var lastBytes: Array[Byte] = _
  private[this] var lastFrom, lastTo = 0
  private[this] var lastHead = 0
  // The datatype that was checked last, also with its bytes.
  private[this] var lastType = NoBytes

  /** Whether the row deletes the statement. */
  var isDelete = false

  /** Finds the terms of the row that begins at `at`. [[makeCanonical]] must follow, before the
    * ranges are used.
    *
    * @param limit
    *   the index after the last byte, which padding follows
    * @return
    *   the index after the row, or [[StatementStructs.NeedsDecoder]]
    */
  def scan(bytes: Array[Byte], at: Int, limit: Int): Int = {
    this.limit = limit
    val head = bytes(at).toInt
    if ((head != DataAdd && head != DataDel) || bytes(at + 1) != NextStruct) return NeedsDecoder
    isDelete = head == DataDel
    var i = endOfSubject(bytes, at + 2)
    if (i == NeedsDecoder || bytes(i) != NextStruct) return NeedsDecoder
    i = endOfPredicate(bytes, i + 1)
    if (i == NeedsDecoder || bytes(i) != NextStruct) return NeedsDecoder
    i = endOfObject(bytes, i + 1)
    if (i == NeedsDecoder) return NeedsDecoder
    graphEnd = 0
    if (bytes(i) == NextStruct) i = endOfGraph(bytes, i + 1)
    if (i == NeedsDecoder || bytes(i) != CompactProtocol.Stop) return NeedsDecoder
    if (bytes(i + 1) != CompactProtocol.Stop || i + 2 > limit) return NeedsDecoder
    i + 2
  }

  /** Writes the terms of the row that was scanned as canonical N-Triples. The bytes of the row
    * change, so it must not be scanned again.
    */
  def makeCanonical(bytes: Array[Byte]): Unit = {
    putResource(bytes, subjectFrom, subjectEnd, isSubjectNode)
    putResource(bytes, predicateFrom, predicateEnd, isNode = false)
    if (objectHead == LiteralHead) {
      putLiteral(bytes)
      if (isEscaped) escapeLiteral(bytes)
    } else putResource(bytes, objectFrom, objectEnd, objectHead == NodeHead)
    if (hasGraph) putResource(bytes, graphFrom, graphEnd, isGraphNode)
  }

  private def putResource(bytes: Array[Byte], from: Int, end: Int, isNode: Boolean): Unit =
    if (isNode) {
      bytes(from) = '_'
      bytes(from + 1) = ':'
    } else {
      bytes(from) = '<'
      bytes(end - 1) = '>'
    }

  private def putLiteral(bytes: Array[Byte]): Unit = {
    bytes(objectFrom) = '"'
    if (literalKind == Typed) {
      // The text moves to the left by two bytes, to make room for two more after it.
      System.arraycopy(bytes, lexFrom, bytes, lexFrom - 2, lexTo - lexFrom)
      bytes(lexTo - 2) = '"'
      bytes(lexTo - 1) = '^'
      bytes(lexTo) = '^'
      bytes(lexTo + 1) = '<'
      bytes(objectEnd - 1) = '>'
    } else {
      bytes(lexTo) = '"'
      if (literalKind == Tagged) bytes(lexTo + 1) = '@'
    }
  }

  /** Copies the literal, with escapes in its lexical form. */
  private def escapeLiteral(bytes: Array[Byte]): Unit = {
    // Where the lexical form is now.
    val start = objectFrom + 1
    val end = start + lexTo - lexFrom
    val size = LiteralEscapes.maxSize(bytes, start, end) + 1 + objectEnd - end
    val out = new Array[Byte](size.toInt)
    out(0) = '"'
    val outEnd = LiteralEscapes.put(bytes, start, end, out, 1)
    System.arraycopy(bytes, end, out, outEnd, objectEnd - end)
    objectBytes = out
    objectEnd = outEnd + objectEnd - end
    objectFrom = 0
  }

  private def endOfSubject(bytes: Array[Byte], at: Int): Int = {
    val head = bytes(at).toInt
    if (!isTextTerm(bytes, at)) return NeedsDecoder
    val isLast = (lastBytes eq bytes) && head == lastHead &&
      Arrays.equals(bytes, lastFrom, lastTo, bytes, from, to)
    isSubjectNode = head == NodeHead
    val end = to + 2
    if (isLast) {
      from = lastFrom
      to = lastTo
    } else {
      if (!isCanonical(bytes, isSubjectNode)) return NeedsDecoder
      if (lastBytes ne bytes) lastBytes = bytes
      lastHead = head
      lastFrom = from
      lastTo = to
    }
    subjectFrom = startOf(isSubjectNode)
    subjectEnd = endOf(isSubjectNode)
    end
  }

  private def endOfPredicate(bytes: Array[Byte], at: Int): Int =
    if (bytes(at) != IriHead || !isTextTerm(bytes, at) || !isPredicate(bytes)) NeedsDecoder
    else {
      predicateFrom = startOf(isNode = false)
      predicateEnd = endOf(isNode = false)
      to + 2
    }

  /** Whether the text found last is an IRI. */
  private def isPredicate(bytes: Array[Byte]): Boolean =
    if (predicates.lengthOfGuess(bytes, from) == to - from) {
      predicates.setGuess()
      true
    } else {
      val isCanonical = isIri(bytes, from, to)
      if (isCanonical) predicates.set(bytes, from, to)
      isCanonical
    }

  private def endOfObject(bytes: Array[Byte], at: Int): Int = {
    objectHead = bytes(at).toInt
    objectBytes = null
    if (objectHead == LiteralHead) endOfLiteral(bytes, at)
    else {
      val isNode = objectHead == NodeHead
      if (!isTextTerm(bytes, at) || !isCanonical(bytes, isNode)) NeedsDecoder
      else {
        objectFrom = startOf(isNode)
        objectEnd = endOf(isNode)
        to + 2
      }
    }
  }

  private def endOfGraph(bytes: Array[Byte], at: Int): Int = {
    isGraphNode = bytes(at) == NodeHead
    if (!isTextTerm(bytes, at) || !isCanonical(bytes, isGraphNode)) NeedsDecoder
    else if (JenaDefaultGraph.mayBeName(bytes, from, to)) NeedsDecoder
    else {
      graphFrom = startOf(isGraphNode)
      graphEnd = endOf(isGraphNode)
      to + 2
    }
  }

  private def endOfLiteral(bytes: Array[Byte], at: Int): Int = {
    if (bytes(at + 1) != NextString || !findText(bytes, at + 2)) return NeedsDecoder
    if (!isLexicalForm(bytes)) return NeedsDecoder
    lexFrom = from
    lexTo = to
    val isFound = bytes(to).toInt match {
      case CompactProtocol.Stop =>
        literalKind = Simple
        objectFrom = lexFrom - 1
        objectEnd = lexTo + 1
        true
      case NextString =>
        literalKind = Tagged
        objectFrom = lexFrom - 1
        findShortText(bytes, lexTo + 1) && from < to && {
          objectEnd = to
          NTriplesBytes.endOfLanguage(bytes, from, to) == to
        }
      case DatatypeAfterLex =>
        literalKind = Typed
        objectFrom = lexFrom - 3
        findShortText(bytes, lexTo + 1) && {
          objectEnd = to + 1
          isDatatype(bytes)
        }
      case _ => false
    }
    if (isFound && bytes(to) == CompactProtocol.Stop && bytes(to + 1) == CompactProtocol.Stop)
      to + 2
    else NeedsDecoder
  }

  /** Whether the text found last can be a lexical form. Sets [[isEscaped]]. */
  private def isLexicalForm(bytes: Array[Byte]): Boolean = {
    var marks = 0L
    var seen = 0L
    var i = from
    while (i + Swar.Size <= to) {
      val word = Swar.load(bytes, i)
      marks |= NTriplesSwar.literalNeedsEscape(word)
      seen |= word
      i += Swar.Size
    }
    val word = Swar.load(bytes, i)
    marks |= Swar.keepFirst(NTriplesSwar.literalNeedsEscape(word), to - i)
    isEscaped = marks != 0
    isUtf8(seen | Swar.keepFirst(word, to - i), bytes, from, to)
  }

  /** Whether the text found last is an IRI that canonical N-Triples writes as a datatype. */
  private def isDatatype(bytes: Array[Byte]): Boolean =
    Arrays.equals(lastType, 0, lastType.length, bytes, from, to) || {
      val isPlain = isIri(bytes, from, to) &&
        !Arrays.equals(XsdString, 0, XsdString.length, bytes, from, to)
      if (isPlain) lastType = Arrays.copyOfRange(bytes, from, to)
      isPlain
    }

  /** Whether a term that has only a text begins at `at`, and ends with its struct. Sets [[from]]
    * and [[to]].
    */
  private def isTextTerm(bytes: Array[Byte], at: Int): Boolean =
    (bytes(at) == IriHead || bytes(at) == NodeHead) && bytes(at + 1) == NextString &&
      findText(bytes, at + 2) && bytes(to) == CompactProtocol.Stop &&
      bytes(to + 1) == CompactProtocol.Stop

  /** Finds the text whose length is at `at`, if it is not long. */
  private def findText(bytes: Array[Byte], at: Int): Boolean = {
    val low = bytes(at).toInt
    if (low >= 0) {
      from = at + 1
      to = from + low
    } else {
      from = at + 2
      to = from + (bytes(at + 1) << 7 | low & 0x7f)
    }
    // Also false if the length has more than two bytes.
    to >= from && to < limit
  }

  /** Finds the text whose length is one byte at `at`. */
  private def findShortText(bytes: Array[Byte], at: Int): Boolean =
    bytes(at) >= 0 && findText(bytes, at)

  private def isCanonical(bytes: Array[Byte], isNode: Boolean): Boolean =
    if (isNode) NTriplesBytes.isAsciiLabel(bytes, from, to) else isIri(bytes, from, to)

  /** Where the canonical text of the IRI or the blank node begins whose text was found last. */
  private def startOf(isNode: Boolean): Int = if (isNode) from - 2 else from - 1

  private def endOf(isNode: Boolean): Int = if (isNode) to else to + 1
}

private[rdfpatchthrift] object StatementStructs {

  /** Returned instead of an index if [[ThriftDecoder]] must read the row. */
  final val NeedsDecoder = -1

  // The first bytes of fields: the difference to the id of the previous field, and the type.
  private final val NextStruct = 0x10 | CompactProtocol.Struct
  private final val NextString = 0x10 | CompactProtocol.String
  private final val DatatypeAfterLex =
    (ThriftSchema.Literal.Datatype - ThriftSchema.Literal.Lex) << 4 | CompactProtocol.String
  private final val DataAdd = ThriftSchema.PatchRow.DataAdd << 4 | CompactProtocol.Struct
  private final val DataDel = ThriftSchema.PatchRow.DataDel << 4 | CompactProtocol.Struct
  private final val IriHead = ThriftSchema.Term.Iri << 4 | CompactProtocol.Struct
  private final val NodeHead = ThriftSchema.Term.Bnode << 4 | CompactProtocol.Struct
  private final val LiteralHead = ThriftSchema.Term.Literal << 4 | CompactProtocol.Struct

  // Kinds of literals.
  private final val Simple = 0
  private final val Tagged = 1
  private final val Typed = 2

  private val NoBytes = new Array[Byte](0)
  private val XsdString = Literal.XsdString.getBytes(UTF_8)

  /** Whether `bytes[from, to)` is an IRI that canonical N-Triples writes without escapes. False for
    * some that it does: those with `~` or DEL.
    */
  private def isIri(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var marks = 0L
    var seen = 0L
    var i = from
    while (i + Swar.Size <= to) {
      val word = Swar.load(bytes, i)
      marks |= NTriplesSwar.iriNeedsEscape(word)
      seen |= word
      i += Swar.Size
    }
    val word = Swar.load(bytes, i)
    marks |= Swar.keepFirst(NTriplesSwar.iriNeedsEscape(word), to - i)
    seen |= Swar.keepFirst(word, to - i)
    marks == 0 && isUtf8(seen, bytes, from, to) && !(bytes(from) == '_' && bytes(from + 1) == ':')
  }

  private def isUtf8(seen: Long, bytes: Array[Byte], from: Int, to: Int): Boolean =
    Swar.nonAscii(seen) == 0 || Utf8.isValid(bytes, from, to)
}
