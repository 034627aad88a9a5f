package org.jellyspark.jelly.frames

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.Arrays
import java.util.zip.CRC32

import scala.collection.mutable

import org.jellyspark.core.bytes.BloomFilter
import org.jellyspark.core.formats.InputFile
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.StreamOptions

/** Collects the terms of each restart range, and builds their filters; see [[TermFilters]].
  *
  * @param columns
  *   the columns that have filters
  * @param bits
  *   the number of bits for each term
  */
private[jellyspark] final class FilterBuilder(columns: Set[Column], bits: Int) {
  import TermFilters._

  private[this] val indexed = StreamOptions.TermColumns.filter(columns)
  private[this] val hashes = indexed.map(_ => new TermHashes)
  // The filters of the ranges so far, by column; null for no filter.
  private[this] val filters = indexed.map(_ => mutable.ArrayBuffer.empty[Array[Byte]])
  private[this] var size = EndSize.toLong

  /** The hashes of a column in the current range; null if the column has no filters. */
  def hashesOf(column: Column): TermHashes = {
    val number = indexed.indexOf(column)
    if (number < 0) null else hashes(number)
  }

  /** Ends the current range, and begins the next one. */
  def endRange(): Unit = indexed.indices.foreach { number =>
    size += EntrySize
    val filter = if (hashes(number).overflows) null else hashes(number).toFilter(bits)
    val fits = filter != null && size + filter.length <= MaxSize
    if (fits) size += filter.length
    filters(number) += (if (fits) filter else null)
    hashes(number).clear()
  }

  /** Encodes the value of the metadata entry, for all ranges.
    *
    * @param points
    *   the restart points of the index
    */
  def encode(points: Seq[RestartPoint]): Array[Byte] = {
    val all = filters.flatten
    val out = ByteBuffer.allocate(size.toInt).order(LITTLE_ENDIAN)
    all.foreach(filter => if (filter != null) out.put(filter))
    val entriesAt = out.position()
    all.foreach { filter =>
      if (filter == null) out.putInt(NoFilter).putInt(0)
      else out.putInt(filter.length / BloomFilter.BlockSize).putInt(crc(filter).toInt)
    }
    val mask = indexed.map(column => 1L << StreamOptions.TermColumns.indexOf(column)).sum
    out.putLong(Version).putLong(mask).putLong(points.length + 1L).putLong(size)
    val summed = Arrays.copyOfRange(out.array, entriesAt, out.position())
    out.putLong(crc(RestartIndex.encode(points), summed)).put(Magic)
    out.array
  }

  /** Begins another output. */
  def clear(): Unit = {
    hashes.foreach(_.clear())
    filters.foreach(_.clear())
    size = EndSize.toLong
  }
}

/** The filters of a file: which terms each restart range may have in a column.
  *
  * They are the value of a metadata entry directly before the index. All integers are
  * little-endian. The value consists of:
  *
  *   1. the blocks of the filters (see [[BloomFilter]]): for each column, in the order of
  *      [[StreamOptions.TermColumns]], and each restart range;
  *   1. for each of them, the number of its blocks and their CRC-32, as 32-bit integers. The number
  *      is -1 if the column has no filter for this range; it is 0 if the range has no term in this
  *      column;
  *   1. as 64-bit integers: a version, the columns, as a sum of powers of two, the number of
  *      restart ranges, and the length of the value;
  *   1. as a 64-bit integer, the CRC-32 of the points in the index, followed by the parts 2 and 3;
  *   1. eight magic bytes.
  *
  * @param places
  *   the filters of the ranges, by column
  */
private[jelly] final class TermFilters private (
    file: InputFile,
    places: Map[Column, Seq[TermFilters.Place]]
) {
  import TermFilters._

  /** Whether a column has filters. */
  def has(column: Column): Boolean = places.contains(column)

  /** Returns the numbers of those ranges that may have one of some terms in a column. A range may
    * if it has no filter, or if the filter is damaged.
    *
    * @param column
    *   a column that has filters
    * @param numbers
    *   the numbers of consecutive ranges in the file, from 0 on
    * @param hashes
    *   the xxHash64 of the canonical texts of the terms
    */
  def rangesWith(column: Column, numbers: Range, hashes: Seq[Long]): Set[Int] =
    if (numbers.isEmpty) Set.empty
    else {
      val found = numbers.map(places(column))
      val start = found.head.offset
      val end = found.last.offset + found.last.size
      val bytes = file.read(start, end)
      numbers
        .zip(found)
        .collect {
          case (number, place) if mayContain(place.of(bytes, start), place, hashes) => number
        }
        .toSet
    }

  private def mayContain(blocks: Array[Byte], place: Place, hashes: Seq[Long]): Boolean =
    place.isMissing || crc(blocks) != place.checksum ||
      hashes.exists(BloomFilter.mayContain(blocks, _))
}

private[jelly] object TermFilters {

  /** The key of the metadata entry. */
  val Key = "jelly-spark.filters"

  private[frames] final val Version = 1L
  // UTF-8 has no byte FF, so no literal can hold what looks like filters.
  private[frames] val Magic = "JellyFl\u00ff".getBytes(ISO_8859_1)
  // The size of the number of blocks of a filter and its checksum.
  private[frames] final val EntrySize = 2 * Integer.BYTES
  private[frames] final val NoFilter = -1
  // The parts 3 to 5.
  private final val SummedEndSize = 4 * java.lang.Long.BYTES
  private[frames] final val EndSize = SummedEndSize + 2 * java.lang.Long.BYTES
  // The largest value in bytes, which limits the memory of writers and readers. Ranges for which
  // there is no more room have no filters.
  private[frames] final val MaxSize = 1 << 26

  /** A filter of a range: the byte offset of its blocks, their number, and their CRC-32. */
  private final case class Place(offset: Long, blocks: Int, checksum: Long) {
    def isMissing: Boolean = blocks < 0

    def size: Long = if (isMissing) 0 else blocks.toLong * BloomFilter.BlockSize

    /** The blocks, given the bytes of the file from `start` on. */
    def of(bytes: Array[Byte], start: Long): Array[Byte] = {
      val from = (offset - start).toInt
      Arrays.copyOfRange(bytes, from, from + size.toInt)
    }
  }

  /** Reads where the filters of a file are. Returns None if it has none, or if they do not fit the
    * index.
    *
    * @param points
    *   the restart points of the file's index; at least one
    */
  def read(file: InputFile, points: Seq[RestartPoint]): Option[TermFilters] = {
    val indexSize = RestartIndex.fieldSizeOf(points.length)
    // With this many entries, most files have all of them in the tail that has the index.
    val ranges = points.length + 1
    val most = indexSize + EndSize + StreamOptions.TermColumns.length * ranges * EntrySize
    val tail = RestartIndex.tail(file, most)
    val end = tail.length - indexSize
    if (end < EndSize) None
    else {
      val in = ByteBuffer.wrap(tail, end - EndSize, EndSize).order(LITTLE_ENDIAN)
      val (version, mask, count, size) = (in.getLong, in.getLong, in.getLong, in.getLong)
      val checksum = in.getLong
      val columns = StreamOptions.TermColumns.zipWithIndex.collect {
        case (column, number) if (mask >> number & 1) == 1 => column
      }
      val entriesFrom = end - EndSize - columns.length * ranges * EntrySize
      val isWhole = Arrays.equals(tail, end - Magic.length, end, Magic, 0, Magic.length) &&
        version == Version && mask > 0 && mask < (1 << StreamOptions.TermColumns.length) &&
        count == ranges && size >= end - entriesFrom && size <= MaxSize &&
        size <= file.length - indexSize && entriesFrom >= 0 && {
          val summed =
            Arrays.copyOfRange(tail, entriesFrom, end - EndSize + SummedEndSize)
          crc(RestartIndex.encode(points), summed) == checksum
        }
      if (isWhole) {
        val entries = ByteBuffer.wrap(tail, entriesFrom, end - entriesFrom).order(LITTLE_ENDIAN)
        val start = file.length - indexSize - size
        placesOf(entries, columns, ranges, start, size - (end - entriesFrom))
          .map(new TermFilters(file, _))
      } else None
    }
  }

  /** The filters of each column; None if their sizes do not sum up to `size`. */
  private def placesOf(
      entries: ByteBuffer,
      columns: Seq[Column],
      ranges: Int,
      start: Long,
      size: Long
  ): Option[Map[Column, Seq[Place]]] = {
    var at = start
    val places = columns.map { column =>
      column -> IndexedSeq.fill(ranges) {
        val place = Place(at, entries.getInt, Integer.toUnsignedLong(entries.getInt))
        at += place.size
        place
      }
    }
    Option.when(at - start == size)(places.toMap)
  }

  private[frames] def crc(parts: Array[Byte]*): Long = {
    val crc = new CRC32
    parts.foreach(crc.update)
    crc.getValue
  }
}
