package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.Utf8

/** Moves over words, names and other runs of characters of a kind.
  *
  * @param in
  *   the text, in a row
  */
private[rdfpatch] final class NameScanner(in: TextInput) {

  /** The text from a place to here, which was moved over here. */
  def text(start: Int): String =
    new String(in.buffer, in.index(start), in.place - start, UTF_8)

  /** Whether what stands from a place to here is `text`, which is ASCII. */
  def isText(start: Int, text: String): Boolean = {
    val at = in.index(start)
    val length = text.length
    var i = 0
    if (in.pos - at == length) while (i < length && in.buffer(at + i) == text.charAt(i)) i += 1
    i == length && in.pos - at == length
  }

  /** Whether a character that names may hold stands here. */
  def isPart: Boolean = Names.is(character, Names.Part)

  /** Moves over a word; answers whether there is one. */
  def skipWord(): Boolean = skipName(Names.Start, Names.Part)

  /** Moves over the label of a blank node; answers whether there is one. */
  def skipLabel(): Boolean = skipName(Names.LocalStart, Names.LocalPart)

  /** Moves over what may be a prefix, or nothing; answers whether its colon follows. */
  def skipPrefix(): Boolean = {
    skipWord()
    in.peek == ':'
  }

  /** Moves over the local part of a prefixed name, or nothing; answers whether characters in it are
    * escaped.
    *
    * @throws org.jellyspark.core.MalformedRowException
    *   if an escape is none
    */
  def skipLocalName(): Boolean = {
    var isEscaped = false
    var end = in.place // dots at the end are none of it
    val first = character
    var goesOn = Names.is(first, Names.LocalStart) || first == '%' || first == '\\'
    while (goesOn) {
      character match {
        case '.' => in.pos += 1
        case '%' =>
          in.pos += 1
          if (!skipHexDigit() || !skipHexDigit()) in.failChar("2 hexadecimal digits")
          end = in.place
        case '\\' =>
          if (!Names.isEscapable(in.peek(1))) in.failChar("an escape of a name")
          in.pos += 2
          end = in.place
          isEscaped = true
        case c if Names.is(c, Names.LocalPart) =>
          in.pos += Utf8.length(c)
          end = in.place
        case _ => goesOn = false
      }
    }
    in.pos = in.index(end)
    isEscaped
  }

  /** Moves over ASCII characters of a kind; answers whether there are any. */
  def skip(kind: Int): Boolean = {
    val start = in.place
    while (Names.is(in.peek, kind)) in.pos += 1
    in.place > start
  }

  private def skipHexDigit(): Boolean = {
    val isHex = Character.digit(in.peek, 16) >= 0
    if (isHex) in.pos += 1
    isHex
  }

  /** Moves over a name that begins with one kind of characters, and holds another and dots, of
    * which it does not end in one; answers whether there is one.
    */
  private def skipName(start: Int, part: Int): Boolean = {
    val first = character
    val isName = Names.is(first, start)
    if (isName) {
      in.pos += Utf8.length(first)
      var end = in.place
      var goesOn = true
      while (goesOn) {
        val c = character
        if (Names.is(c, part)) {
          in.pos += Utf8.length(c)
          end = in.place
        } else if (c == '.') in.pos += 1
        else goesOn = false
      }
      in.pos = in.index(end)
    }
    isName
  }

  /** The character here; negative at the end, and where the bytes are not UTF-8. */
  private def character: Int = {
    val b = in.peek
    if (b < 0x80) b
    else {
      val length = in.sequence()
      if (length == 0) -1 else Utf8.character(in.buffer, in.pos, length)
    }
  }
}
