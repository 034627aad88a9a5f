package org.jellyspark.core.formats

/** The part of a file that one task reads: the bytes `[start, end)`. */
final case class FilePart(start: Long, end: Long) {
  def isEmpty: Boolean = start == end
}

object FilePart {

  /** A whole file of any length. */
  val Whole: FilePart = FilePart(0, Long.MaxValue)
}
