package org.jellyspark.log.index

import java.nio.charset.StandardCharsets.US_ASCII
import java.time.Instant
import java.time.temporal.ChronoUnit.MICROS

import com.fasterxml.jackson.databind.JsonNode

import org.jellyspark.log.entries.{LogEntry, SubjectFilter}
import org.jellyspark.log.files.{Gzip, Json, Lines, PatchNames, Sha256}

/** The entries of consecutive patches in a log's index.
  *
  * Blocks are stored as JSON Lines, compressed with gzip. Blocks that follow each other can be
  * concatenated, byte by byte, and are then one block. `block.py` of the Python package describes
  * and writes them.
  *
  * @param generation
  *   the number of the settings of the log when the block was written
  * @param begin
  *   the position of the first patch of the log according to these settings
  * @param first
  *   the position of the first patch of the block
  * @param prev
  *   the id of the patch before it
  * @param chain
  *   the digest of all patches before it, see [[chainAt]]
  */
private[log] final case class Block(
    generation: Long,
    begin: Long,
    first: Long,
    prev: Option[String],
    chain: String,
    entries: Vector[LogEntry]
) {

  /** The position of the patch after the last one. */
  def next: Long = first + entries.size

  /** The id of the last patch, or of the one before the first. */
  def head: Option[String] = entries.lastOption.map(_.id).orElse(prev)

  def entry(position: Long): LogEntry = entries((position - first).toInt)

  /** Returns the id of the patch at a position of the block, or at the one before it. */
  def idAt(position: Long): Option[String] =
    if (position < first) prev else Some(entry(position).id)

  /** Returns a digest of all patches up to a position of the block, or up to the one before it. */
  def chainAt(position: Long): String =
    entries.take((position + 1 - first).toInt).foldLeft(chain) { (before, entry) =>
      Block.digest(s"$before ${entry.sha256} ${entry.patch}")
    }

  /** Returns the position of the last patch with an id that is before the position `end`. */
  def find(id: String, end: Long): Option[Long] = {
    val at = entries.lastIndexWhere(_.id == id, (math.min(end, next) - first).toInt - 1)
    Option.when(at >= 0)(first + at)
  }

  /** Returns the part of the block before a position. */
  def until(position: Long): Block = copy(entries = entries.take((position - first).toInt))

  /** Returns the part of the block from a position on. */
  def from(position: Long): Block = copy(
    first = position,
    prev = idAt(position - 1),
    chain = chainAt(position - 1),
    entries = entries.drop((position - first).toInt)
  )

  /** Returns the compressed bytes of the block. */
  def dump: Array[Byte] = {
    val head = s"{\"version\":${Json.Version},\"generation\":$generation,\"begin\":$begin," +
      s"\"first\":$first,\"prev\":${prev.fold("null")(Json.quoted)}," +
      s"\"chain\":${Json.quoted(chain)}}"
    val lines = head +: entries.map(Block.line)
    Gzip.compress(lines.mkString("", "\n", "\n").getBytes(US_ASCII))
  }
}

private[log] object Block {
  private val Fields = Set("version", "generation", "begin", "first", "prev", "chain")

  // Of the years 1 to 9999, as in Python.
  private val MinMicros = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond * 1000000
  private val EndMicros = Instant.parse("+10000-01-01T00:00:00Z").getEpochSecond * 1000000

  private final val DigestLength = 32

  /** Returns a block, given its compressed bytes; none if they are damaged.
    *
    * @param name
    *   the name of the file, for messages
    * @throws org.jellyspark.LogException
    *   if it is of a newer version
    */
  def load(bytes: Array[Byte], name: String): Option[Block] =
    Json.attempt(Gzip.decompress(bytes)).toOption.flatMap(text => parse(text, 0, text.length, name))

  /** Returns a block, given its lines; none if they are damaged.
    *
    * @throws org.jellyspark.LogException
    *   if it is of a newer version
    */
  def parse(text: Array[Byte], start: Int, end: Int, name: String): Option[Block] =
    Json.attempt(new BlockParser(name).parse(text, start, end)).toOption

  /** Returns the first hexadecimal digits of the SHA-256 of a text. */
  private def digest(text: String): String =
    Sha256.of(text.getBytes(US_ASCII)).take(DigestLength)

  /** Returns what the line of the patch with an id begins with. */
  def startOfEntry(id: String): String = s"[${Json.quoted(id)},"

  /** Returns the line of an entry; `BlockParser` parses it. */
  private def line(entry: LogEntry): String = {
    val bits = Seq(
      entry.committed,
      entry.statements,
      entry.prefixes,
      entry.canonical,
      entry.message.isDefined
    )
    val flags = bits.zipWithIndex.collect { case (true, bit) => 1 << bit }.sum
    val micros = MICROS.between(Instant.EPOCH, entry.time)
    val isOwnFile = entry.file == PatchNames.of(entry.position) && entry.patch == 0
    val place = if (isOwnFile) Nil else Seq(Json.quoted(entry.file), entry.patch.toString)
    val others = place ++ entry.subjects.map(filter => Json.quoted(filter.hex)) ++
      entry.message.map(Json.quoted)
    s"${startOfEntry(entry.id)}${entry.size},${Json.quoted(entry.sha256)},$micros,$flags" +
      others.map("," + _).mkString + "]"
  }

  /** Parses the lines of blocks that follow each other. */
  private final class BlockParser(name: String) {
    private[this] var head: Option[Block] = None
    private[this] val entries = Vector.newBuilder[LogEntry]
    private[this] var position = 0L
    private[this] var prev: Option[String] = None

    def parse(text: Array[Byte], start: Int, end: Int): Block = {
      var at = start
      while (at < end) {
        val found = Lines.end(text, at)
        val stop = math.min(found, end)
        add(Json.parse(text, at, stop - at))
        at = stop + 1
      }
      Json.check(head.isDefined, "a block", name)
      head.get.copy(entries = entries.result())
    }

    private def add(line: JsonNode): Unit =
      if (line.isObject) begin(headOf(line))
      else {
        Json.check(head.isDefined, "the beginning of a block", line)
        val entry = entryOf(line)
        entries += entry
        position += 1
        prev = Some(entry.id)
      }

    private def begin(found: Block): Unit = {
      if (head.isEmpty) {
        head = Some(found)
        position = found.first
        prev = found.prev
      }
      val follows = found.first == position && found.prev == prev
      Json.check(follows, s"the block at position $position", found.first)
    }

    private def headOf(line: JsonNode): Block = {
      Json.checkVersion(line, name)
      Json.checkFields(line, Fields)
      Block(
        Json.number(line.get("generation")),
        Json.number(line.get("begin")),
        Json.number(line.get("first")),
        Json.optionalText(line.get("prev")),
        Json.text(line.get("chain")),
        Vector.empty
      )
    }

    private def entryOf(line: JsonNode): LogEntry = {
      val values = Json.items(line)
      Json.check(values.size >= 5 && values.size <= 9, "5 to 9 values", line)
      val micros = Json.integer(values(3))
      val flags = Json.integer(values(4))
      val message = Option.when((flags & 16) != 0)(Json.text(values.last))
      val others = values.drop(5).dropRight(message.size)
      val isOwnFile = others.size <= 1
      // Only a filter makes their number odd.
      val subjects = Option.when(others.size % 2 == 1)(SubjectFilter.parse(Json.text(others.last)))
      Json.check(micros >= MinMicros && micros < EndMicros, "a time", micros)
      val file = if (isOwnFile) PatchNames.of(position) else Json.text(others(0))
      Json.check(!file.contains('/'), "the name of a patch file", file)
      LogEntry(
        position,
        Json.text(values(0)),
        prev,
        Instant.EPOCH.plus(micros, MICROS),
        file,
        if (isOwnFile) 0 else Json.number(others(1)),
        Json.number(values(1)),
        Json.text(values(2)),
        committed = (flags & 1) != 0,
        statements = (flags & 2) != 0,
        prefixes = (flags & 4) != 0,
        canonical = (flags & 8) != 0,
        subjects = subjects,
        message = message
      )
    }
  }
}
