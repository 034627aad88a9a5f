package org.jellyspark.log

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode

import org.jellyspark.log.files.{Json, LogFiles}
import org.jellyspark.log.index.LogIndex

/** The snapshots of a log. Each is a folder of Jelly-RDF files, and a description in JSON, which is
  * written last. The name of the description begins with the position of the patch.
  *
  * @param files
  *   the files of the log
  * @param index
  *   its index
  */
private[log] final class Snapshots(files: LogFiles, index: LogIndex) {
  import Snapshots._

  /** Returns the last usable snapshot of a state after a patch, or after one before it.
    *
    * A snapshot is skipped if its description is damaged, if files are missing or have another
    * size, or if the patches that it was made from have changed.
    *
    * @param position
    *   the position of the patch
    */
  def last(position: Long): Option[Snapshot] =
    files
      .list(Folder)
      .keys
      .toSeq
      .filter(name => name.endsWith(Extension) && numberOf(name) <= math.max(position, 0))
      .sorted(Ordering[String].reverse)
      .iterator
      .flatMap(read)
      .find(found => found.position <= position && fits(found) && isComplete(found))
      .map { found =>
        val paths = found.sizes.keys.toSeq.sorted.map(name => files.path(s"${found.folder}/$name"))
        Snapshot(found.position, found.id, paths, found.prefixes)
      }

  /** Whether a snapshot was made from the patches of the log. */
  private def fits(found: Description): Boolean =
    found.position >= index.begin - 1 && found.position < index.next && {
      val block = index.blockAfter(found.position)
      block.chainAt(found.position) == found.chain && block.idAt(found.position).contains(found.id)
    }

  private def isComplete(found: Description): Boolean =
    found.sizes.nonEmpty && found.sizes == files.list(found.folder).filterNot { case (name, _) =>
      name.startsWith(".") || name.startsWith("_")
    }

  private def read(name: String): Option[Description] =
    files.read(s"$Folder/$name").flatMap(bytes => Json.attempt(parse(Json.parse(bytes))).toOption)
}

private[log] object Snapshots {

  /** The folder of the snapshots. */
  val Folder: String = s"${LogFiles.Own}/snapshots"
  private val Extension = ".json"

  /** Of the descriptions. */
  private final val Version = 3

  private val Fields =
    Set("version", "id", "log_seq", "chain", "folder", "prefixes", "files")

  /** A snapshot as its description has it.
    *
    * @param chain
    *   identifies the patches that it was made from, see [[Block.chainAt]]
    * @param folder
    *   the folder of the files, relative to that of the log
    * @param sizes
    *   the size of each file in bytes, by its name in the folder
    */
  private final case class Description(
      id: String,
      position: Long,
      chain: String,
      folder: String,
      prefixes: Seq[Prefix],
      sizes: Map[String, Long]
  )

  private def parse(content: JsonNode): Description = {
    Json.checkFields(content, Fields)
    Json.check(Json.integer(content.get("version")) == Version, "the version", content)
    val folder = Json.text(content.get("folder"))
    val isInFolder = folder.startsWith(s"$Folder/") && !folder.contains("..")
    Json.check(isInFolder, "the folder of a snapshot", folder)
    Json.check(content.get("files").isObject, "files", content)
    Description(
      Json.text(content.get("id")),
      Json.integer(content.get("log_seq")),
      Json.text(content.get("chain")),
      folder,
      Json.items(content.get("prefixes")).map(prefixOf),
      content
        .get("files")
        .properties
        .asScala
        .map(file => file.getKey -> sizeOf(file.getValue))
        .toMap
    )
  }

  private def prefixOf(content: JsonNode): Prefix = {
    val values = Json.items(content)
    Json.check(values.size == 3, "a prefix", content)
    Prefix(Json.optionalText(values(0)), Json.text(values(1)), Json.text(values(2)))
  }

  private def sizeOf(content: JsonNode): Long = {
    val values = Json.items(content)
    Json.check(values.size == 2, "a size and a SHA-256", content)
    Json.integer(values(0))
  }

  /** Returns the position in the name of a description; -1 if it has none. */
  private def numberOf(name: String): Long =
    name.takeWhile(_ != '-').toLongOption.filter(_ >= 0).getOrElse(-1)
}
