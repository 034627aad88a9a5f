package org.jellyspark.text

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.terms.{BaseDirection, NTriplesChars}

/** Moves the input past words, names and labels, as [[TurtleNames]] defines them.
  *
  * @param in
  *   the input, positioned inside a row
  */
private[jellyspark] final class NameScanner(in: TextInput) {
  import NameScanner.AnyTag

  /** Returns the text from `start`, a place in the row, to the current position. This scanner must
    * have just moved past it.
    */
  def text(start: Int): String =
    new String(in.buffer, in.index(start), in.place - start, UTF_8)

  /** Whether the bytes from `start`, a place in the row, to the current position equal `text`,
    * which must be ASCII.
    */
  def isText(start: Int, text: String): Boolean = {
    val at = in.index(start)
    val length = text.length
    var i = 0
    if (in.pos - at == length) while (i < length && in.buffer(at + i) == text.charAt(i)) i += 1
    i == length && in.pos - at == length
  }

  /** Whether the character at the current position can be part of a name. */
  def isPart: Boolean = TurtleNames.is(character, TurtleNames.Part)

  /** Moves past a word.
    *
    * @return
    *   whether there is one
    */
  def skipWord(): Boolean = skipName(TurtleNames.Start, TurtleNames.Part)

  /** Moves past a blank node label.
    *
    * @return
    *   whether there is one
    */
  def skipLabel(): Boolean = skipName(TurtleNames.LocalStart, TurtleNames.LocalPart)

  /** Moves past a blank node label that canonical N-Triples can represent.
    *
    * @return
    *   whether there is one
    */
  def skipStrictLabel(): Boolean = {
    var c = character
    val isLabel = NTriplesChars.isLabelStart(c)
    if (isLabel) {
      var end = in.place // a label does not end with a dot
      while (NTriplesChars.isLabelPart(c)) {
        in.pos += Utf8.length(c)
        if (c != '.') end = in.place
        c = character
      }
      in.pos = in.index(end)
    }
    isLabel
  }

  /** Moves past a language tag (LANG_DIR), starting after its `@`.
    *
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if there is no valid language tag
    */
  def skipLanguageTag(): Unit = {
    val start = in.place
    if (!skip(TurtleNames.Letter)) in.failChar(AnyTag)
    var goesOn = true
    while (goesOn && in.peek == '-') {
      in.pos += 1
      if (in.peek == '-') {
        skip(TurtleNames.TagPart)
        BaseDirection.check(text(start)): Unit
        goesOn = false
      } else if (!skip(TurtleNames.LetterOrDigit)) in.failChar(AnyTag)
    }
    if (TurtleNames.is(in.peek, TurtleNames.LetterOrDigit)) in.failChar(AnyTag)
  }

  /** Moves past a prefix name, which may be empty.
    *
    * @return
    *   whether a colon follows
    */
  def skipPrefix(): Boolean = {
    skipWord()
    in.peek == ':'
  }

  /** Moves past the local part of a prefixed name (PN_LOCAL), which may be empty.
    *
    * @return
    *   whether it contains characters escaped with a backslash
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if a `%` or a backslash does not begin a valid escape
    */
  def skipLocalName(): Boolean = {
    var isEscaped = false
    var end = in.place // a name does not end with a dot
    val first = character
    var goesOn = TurtleNames.is(first, TurtleNames.LocalStart) || first == '%' || first == '\\'
    while (goesOn) {
      character match {
        case '.' => in.pos += 1
        case '%' =>
          in.pos += 1
          if (!skipHexDigit() || !skipHexDigit()) in.failChar("2 hexadecimal digits")
          end = in.place
        case '\\' =>
          if (!TurtleNames.isEscapable(in.peek(1))) in.failChar("an escape of a name")
          in.pos += 2
          end = in.place
          isEscaped = true
        case c if TurtleNames.is(c, TurtleNames.LocalPart) =>
          in.pos += Utf8.length(c)
          end = in.place
        case _ => goesOn = false
      }
    }
    in.pos = in.index(end)
    isEscaped
  }

  /** Moves past ASCII characters of a class.
    *
    * @return
    *   whether there are any
    */
  def skip(kind: Int): Boolean = {
    val start = in.place
    while (TurtleNames.is(in.peek, kind)) in.pos += 1
    in.place > start
  }

  private def skipHexDigit(): Boolean = {
    val isHex = Character.digit(in.peek, 16) >= 0
    if (isHex) in.pos += 1
    isHex
  }

  /** Moves past a name: a character of the class `start`, followed by characters of the class
    * `part` and dots. A name does not end with a dot.
    *
    * @return
    *   whether there is one
    */
  private def skipName(start: Int, part: Int): Boolean = {
    val first = character
    val isName = TurtleNames.is(first, start)
    if (isName) {
      in.pos += Utf8.length(first)
      var end = in.place
      var goesOn = true
      while (goesOn) {
        val c = character
        if (TurtleNames.is(c, part)) {
          in.pos += Utf8.length(c)
          end = in.place
        } else if (c == '.') in.pos += 1
        else goesOn = false
      }
      in.pos = in.index(end)
    }
    isName
  }

  /** The character at the current position, or [[TextInput.End]] at the end of the input and where
    * the bytes are not valid UTF-8.
    */
  private def character: Int = {
    val b = in.peek
    if (b < 0x80) b
    else {
      val length = in.sequence()
      if (length == 0) TextInput.End else Utf8.character(in.buffer, in.pos, length)
    }
  }
}

private object NameScanner {
  private val AnyTag = "a language tag"
}
