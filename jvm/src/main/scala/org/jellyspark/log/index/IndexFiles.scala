package org.jellyspark.log.index

import org.jellyspark.log.files.{LogFiles, PatchNames}

/** The files of a log's index. */
private[log] object IndexFiles {

  /** The positions from `start` to before `end`. */
  final case class Positions(start: Long, end: Long)

  /** The file with the entries after the last segment. */
  val Tail: String = s"${LogFiles.Own}/tail.jsonl.gz"

  /** The folder of the segments. */
  val Segments: String = s"${LogFiles.Own}/index"

  /** The number of patches in the smallest segment, and of such blocks in the largest one. */
  private final val BlockSize = 100L
  private final val MostBlocks = 4096L

  /** Returns the positions that each segment of a log covers, in order: numbers of blocks that are
    * powers of two, the largest ones first.
    *
    * @param begin
    *   segments before this position are left out
    * @param end
    *   the position after the last patch
    */
  def segments(begin: Long, end: Long): Iterator[Positions] = {
    val blocks = end / BlockSize
    val start = math.min(begin / BlockSize, blocks) / MostBlocks * MostBlocks
    Iterator
      .unfold(start) { at =>
        Option.when(at < blocks) {
          val size = math.min(MostBlocks, java.lang.Long.highestOneBit(blocks - at))
          (Positions(at * BlockSize, (at + size) * BlockSize), at + size)
        }
      }
      .filter(_.end > begin)
  }

  /** Returns the position after the block with a position. */
  def blockEnd(position: Long): Long = (position / BlockSize + 1) * BlockSize

  /** Returns the name of the file of a segment. */
  def segment(positions: Positions): String = {
    val (first, last) = (PatchNames.padded(positions.start), PatchNames.padded(positions.end - 1))
    s"$Segments/$first-$last.jsonl.gz"
  }

  /** Returns the tail; none if it is missing or damaged.
    *
    * @throws org.jellyspark.LogException
    *   if it is of a newer version
    */
  def tail(files: LogFiles): Option[Block] =
    read(files, Tail).filter(found => found.first % BlockSize == 0 || found.first <= found.begin)

  /** Returns the entries in a file; none if it is missing or damaged.
    *
    * @throws org.jellyspark.LogException
    *   if it is of a newer version
    */
  def read(files: LogFiles, name: String): Option[Block] =
    files.read(name).flatMap(Block.load(_, files.path(name)))
}
