package org.jellyspark.log.files

import java.util.Arrays

/** Finds lines in bytes. */
private[log] object Lines {

  /** Returns the index of the next line feed; the length of the text if there is none. */
  def end(text: Array[Byte], start: Int): Int = {
    var at = start
    while (at < text.length && text(at) != '\n') at += 1
    at
  }

  /** Returns the number of line feeds in a range. */
  def count(text: Array[Byte], start: Int, end: Int): Int = {
    var found = 0
    var at = start
    while (at < end) {
      if (text(at) == '\n') found += 1
      at += 1
    }
    found
  }

  /** Returns the index of the first line, of each other line that begins with a character, and of
    * the end of the text.
    */
  def starts(text: Array[Byte], character: Char): IndexedSeq[Int] = {
    val found = Vector.newBuilder[Int] += 0
    var at = 1
    while (at < text.length) {
      if (text(at - 1) == '\n' && text(at) == character) found += at
      at += 1
    }
    (found += text.length).result()
  }

  /** Returns the index of the last occurrence that ends before `end`; -1 if there is none. */
  def lastIndexOf(text: Array[Byte], wanted: Array[Byte], end: Int): Int = {
    def isAt(at: Int) = Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length)
    var at = end - wanted.length
    while (at >= 0 && !(text(at) == wanted(0) && isAt(at))) at -= 1
    at
  }
}
