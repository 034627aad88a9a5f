package org.jellyspark.core.formats

/** The bytes of a file from `start` to before `end`. */
final case class FilePart(start: Long, end: Long)

object FilePart {
  val Whole: FilePart = FilePart(0, Long.MaxValue)
}
