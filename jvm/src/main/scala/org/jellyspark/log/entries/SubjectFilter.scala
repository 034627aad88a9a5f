package org.jellyspark.log.entries

import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Arrays, HexFormat}

import org.jellyspark.core.bytes.{BloomFilter, XxHash64}
import org.jellyspark.log.files.Json

/** A filter of the subjects of a patch: the first words of a block of a split-block Bloom filter.
  *
  * @param hex
  *   the words, in hex
  */
final case class SubjectFilter private (hex: String) {

  /** Whether the patch may have the subject with a hash. If not, it does not have it. */
  def mayHave(hash: Long): Boolean = {
    val words = HexFormat.of().parseHex(hex)
    val block = Arrays.copyOf(words, BloomFilter.BlockSize)
    // What is not known of the block may have any bit set.
    Arrays.fill(block, words.length, block.length, -1.toByte)
    BloomFilter.mayContain(block, hash)
  }
}

object SubjectFilter {

  /** The most distinct subjects of a patch with a filter. */
  private[log] final val MostSubjects = 48

  private final val Size = 16

  /** Returns the filter of the subjects of a patch, canonical terms; none if there are none, or too
    * many. Python's writer makes the same one.
    */
  private[log] def of(subjects: Set[String]): Option[SubjectFilter] =
    Option.when(subjects.nonEmpty && subjects.size <= MostSubjects) {
      val block = new Array[Byte](BloomFilter.BlockSize)
      subjects.foreach(subject => BloomFilter.add(block, hash(subject)))
      SubjectFilter(HexFormat.of().formatHex(block, 0, Size))
    }

  /** Returns the hash of a subject, a canonical term. */
  def hash(subject: String): Long = {
    val utf8 = subject.getBytes(UTF_8)
    XxHash64.of(utf8, 0, utf8.length)
  }

  /** Returns a filter, given its words in hex. */
  private[log] def parse(hex: String): SubjectFilter = {
    Json.check(hex.matches("(?:[0-9a-f]{8}){1,8}"), "a filter of subjects", hex)
    SubjectFilter(hex)
  }
}
