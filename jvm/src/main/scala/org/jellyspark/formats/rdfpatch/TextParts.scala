package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.formats.FilePart

/** The parts in which a file is read.
  *
  * A reader skips everything before its part, to number its rows, and because a line may be inside
  * a literal that began earlier, so that no line can be recognized as a row on its own. Therefore,
  * more parts mean more work in total. Beyond a few parts they do not save time either, because the
  * last part can only be read after everything else has been skipped. So a file always has
  * [[Count]] parts, whatever its length and number of splits. A split has the parts that begin in
  * it, so some splits have none.
  *
  * All parts take equally long to read: the later a part begins, the shorter it is. Every task
  * computes the same parts, because they only depend on the length of the file.
  */
private[rdfpatch] object TextParts {

  /** The number of parts of a file. All readers together read 3.3 times its length. */
  final val Count = 4

  // The cost of skipping a byte relative to reading it.
  private final val PassCost = 0.5

  // The partial sums of the geometric series 1 + q + q² + …, in which term `i` is the size of part
  // `i`.
  private val sums = List.iterate(0.0, Count + 1)(sum => 1 + (1 - PassCost) * sum)

  /** Returns the parts that begin in a split, joined into one; empty if no part begins there.
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
