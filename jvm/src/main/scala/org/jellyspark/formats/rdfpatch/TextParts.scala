package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.formats.FilePart

/** The parts in which a file is read.
  *
  * A reader passes over all that is before its part, to number its rows, and because a line may be
  * inside a literal that began before: no line shows by itself that it is a row. So more parts mean
  * more work in all. Beyond a few, they also save no time, because the last part cannot be read
  * before all else was passed over. Therefore a file has [[Count]] parts, whatever its length and
  * however many splits it has. A split has the parts that begin in it: some splits have none.
  *
  * The parts take equally long to read: the later one begins, the shorter it is. They begin at the
  * same places for every task, as they depend on nothing but the length of the file.
  */
private[rdfpatch] object TextParts {

  /** How many parts a file has. All readers together read 3.6 times its length. */
  final val Count = 5

  // What it takes to pass over a byte, relative to reading it.
  private final val PassCost = 0.25

  // The sums of the geometric series 1 + q + q² + … of which part `i` has the term `i`.
  private val sums = List.iterate(0.0, Count + 1)(sum => 1 + (1 - PassCost) * sum)

  /** The parts that begin in a split, as one; empty if no part begins there.
    *
    * @param length
    *   the length of the file in bytes
    */
  def in(split: FilePart, length: Long): FilePart = {
    val starts = sums.init.map(sum => (length * (sum / sums.last)).toLong)
    def next(offset: Long): Long = starts.find(_ >= offset).getOrElse(math.max(offset, length))
    FilePart(next(split.start), next(split.end))
  }
}
