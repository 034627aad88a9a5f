package org.jellyspark.log.index

import java.nio.charset.StandardCharsets.US_ASCII
import java.time.{Instant, ZoneOffset}
import java.time.format.DateTimeFormatter

import scala.annotation.tailrec

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode

import org.jellyspark.LogException
import org.jellyspark.log.files.{Json, LogFiles, PatchNames}

/** One generation of the settings of a log, a file that never changes.
  *
  * @param generation
  *   its number
  * @param begin
  *   the position of the first patch; those before it have expired
  * @param prev
  *   the id of the patch before it
  * @param chain
  *   the digest of all patches before it, see [[Block.chainAt]]
  * @param adopted
  *   the number of patches in files that were adopted, the first ones of the log
  * @param packs
  *   the packs, in order
  */
private[log] final case class Settings(
    generation: Long,
    begin: Long,
    prev: Option[String],
    chain: String,
    adopted: Long,
    packs: IndexedSeq[Pack]
)

private[log] object Settings {
  private val Folder = s"${LogFiles.Own}/format"

  private val Fields = Set("version", "generation", "begin", "prev", "chain", "adopted", "time")

  /** Of Python's `datetime`. */
  private val Time =
    DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'+00:00'").withZone(ZoneOffset.UTC)

  /** Returns the name of the file of a generation. */
  def file(generation: Long): String = f"$Folder/$generation%010d.json"

  /** Writes the settings of an empty log; returns false if the log has settings.
    *
    * @throws org.jellyspark.OptionException
    *   if the file system cannot create a file only if it does not exist
    */
  def createFirst(files: LogFiles): Boolean = {
    val now = Instant.now()
    val content =
      s"{\"version\": ${Json.Version}, \"generation\": 0, \"begin\": 0, \"prev\": null, " +
        s"\"chain\": \"\", \"adopted\": 0, \"time\": \"${Time.format(now)}\", \"packs\": []}"
    files.create(file(0), content.getBytes(US_ASCII), now)
  }

  /** Returns the generations after one, in order.
    *
    * @throws org.jellyspark.LogException
    *   if a file is malformed or of a newer version
    */
  def after(files: LogFiles, generation: Long): Seq[Settings] =
    Iterator
      .iterate(generation + 1)(_ + 1)
      .takeWhile(each => files.has(file(each)))
      .map(read(files, _))
      .toSeq

  /** Returns all generations, in order.
    *
    * @throws org.jellyspark.LogException
    *   if there are none, or a file is malformed or of a newer version
    */
  def all(files: LogFiles): Seq[Settings] = {
    val found = after(files, -1)
    if (found.isEmpty) throw missing(files, 0)
    found
  }

  /** Returns a generation.
    *
    * @throws org.jellyspark.LogException
    *   if its file is missing, malformed or of a newer version
    */
  def read(files: LogFiles, generation: Long): Settings = {
    val name = files.path(file(generation))
    val bytes = files.read(file(generation)).getOrElse(throw missing(files, generation))
    Json.attempt(parse(bytes, generation, name)) match {
      case Right(found)  => found
      case Left(problem) =>
        throw new LogException(s"$name is malformed ($problem): restore it from a backup")
    }
  }

  private def parse(bytes: Array[Byte], generation: Long, name: String): Settings = {
    val content = Json.parse(bytes)
    Json.checkVersion(content, name)
    val packs = content.asInstanceOf[ObjectNode].remove("packs")
    Json.checkFields(content, Fields)
    Json.check(Json.number(content.get("generation")) == generation, s"$generation", content)
    Settings(
      generation,
      Json.number(content.get("begin")),
      Json.optionalText(content.get("prev")),
      Json.text(content.get("chain")),
      Json.number(content.get("adopted")),
      if (packs == null) Vector.empty else Pack.parse(packs)
    )
  }

  private def missing(files: LogFiles, generation: Long): LogException = new LogException(
    s"${files.path(file(generation))} is missing: restore the folder $Folder from a backup"
  )
}

/** A file with many consecutive patches, which `Log.optimize` wrote.
  *
  * @param first
  *   the position of the first patch; its ordinal in the file is 0
  * @param end
  *   the position after the last one
  * @param file
  *   the name of the file
  * @param size
  *   the size of the file in bytes
  */
private[log] final case class Pack(first: Long, end: Long, file: String, size: Long) {

  /** The name of the file with the entries of the patches. */
  def entriesFile: String = {
    val name = file.lastIndexOf('/') + 1
    file.take(name) + file.drop(name).takeWhile(_ != '.') + ".jsonl.gz"
  }
}

private[log] object Pack {
  private val Folder = s"${LogFiles.Own}/packs"

  /** Returns the pack of the patch at a position, if it is in one. */
  def find(packs: IndexedSeq[Pack], position: Long): Option[Pack] = {
    @tailrec
    def search(low: Int, high: Int): Int = {
      val middle = (low + high) / 2
      if (low == high) low
      else if (packs(middle).end <= position) search(middle + 1, high)
      else search(low, middle)
    }
    packs.lift(search(0, packs.size)).filter(_.first <= position)
  }

  /** Returns packs from JSON.
    *
    * @throws Json.MalformedException
    *   if they are malformed, or not in order
    */
  def parse(content: JsonNode): IndexedSeq[Pack] = {
    val packs = Json.items(content).map(packOf).toVector
    packs.foldLeft(0L) { (end, pack) =>
      Json.check(end <= pack.first && pack.first < pack.end, "packs in order", pack)
      pack.end
    }
    packs
  }

  private def packOf(content: JsonNode): Pack = {
    val values = Json.items(content)
    Json.check(values.size == 5, "a pack", content)
    Json.text(values(4))
    val pack = Pack(
      Json.number(values(0)),
      Json.number(values(1)),
      Json.text(values(2)),
      Json.number(values(3))
    )
    val positions = s"${PatchNames.padded(pack.first)}-${PatchNames.padded(pack.end - 1)}-"
    val isInFolder = pack.file.startsWith(s"$Folder/$positions") && !pack.file.contains("..")
    Json.check(isInFolder, "the name of a pack", pack.file)
    pack
  }
}
