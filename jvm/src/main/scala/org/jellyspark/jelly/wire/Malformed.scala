package org.jellyspark.jelly.wire

import org.jellyspark.core.errors.MalformedRowException.malformed

/** What the Jelly formats find wrong with a row in several places. */
private[jellyspark] object Malformed {

  def noMessage(length: Int): Nothing =
    malformed("a row's message", s"$length bytes that are none")

  def nothingToRepeat(what: String): Nothing =
    malformed(what, "none, and none before to repeat")

  def unsigned(number: Int): String = Integer.toUnsignedString(number)
}
