package org.jellyspark.log

import java.net.URI
import java.nio.file.{Files, Path, Paths}
import java.time.Instant
import java.util.concurrent.{Callable, Executors}

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path => HadoopPath, RawLocalFileSystem}
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.{LogException, OptionException}
import org.jellyspark.core.{Logged, RowValue}
import org.jellyspark.core.TemporaryFolder.inFolder
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{Iri, Literal, NTriples}
import org.jellyspark.log.entries.{LogEntry, NewPatch, PatchScan}
import org.jellyspark.log.files.{LogFiles, PatchNames, Publisher}
import org.jellyspark.log.index.{IndexFiles, IndexWriter, Settings}

/** Writes logs and reads them again. `tests/log/test_scala_writer.py` does so together with Python.
  */
class LogWriterSuite extends AnyFunSuite {
  import LogWriterSuite._

  private val conf = new Configuration(false)

  test("an empty log") {
    inFolder { folder =>
      val path = folder.resolve("new/a log: [with] {odd} *names?%20#").toString
      val writer = new LogWriter(path, conf)
      assert(writer.create() && !writer.create() && !new LogWriter(path, conf).create())
      val log = new LogFolder(path, conf).open()
      assert(log.begin == 0 && log.next == 0 && log.head.isEmpty)
      val names = Seq("_log/format/0000000000.json", "_log/tail.jsonl.gz")
      assert(filesIn(Paths.get(path)) == names)
    }
  }

  test("patches, with what the index says about them") {
    inFolder { folder =>
      val writer = createdIn(folder)
      val message = Literal.simple("a \"cup\"\n\u00e9\ud83c\udf75")
      val first = append(writer, 0, 0, message = Some(message)).get
      val second = append(writer, 1, 1, subjects = 9000).get
      assert(append(writer, 1, 2).isEmpty && append(writer, 7, 2).isEmpty)
      val third = append(new LogWriter(folder.toString, conf), 2, 2, subjects = 0).get
      val entries = Seq(first, second, third)
      assert(entries.map(_.prev) == Seq(None, Some(idOf(0)), Some(idOf(1))))
      assert(entries.forall(each => each.committed && each.canonical && !each.prefixes))
      assert(entries.map(_.statements) == Seq(true, true, false))
      assert(first.message.contains(NTriples.format(message)) && first.subjects.isDefined)
      assert(second.message.contains("\"kept\"") && second.subjects.isEmpty)
      assert(second.size > 65536 && second.size == Files.size(folder.resolve(second.file)))
      assert(third.subjects.isEmpty)
      // What is read from the files, without the index, is the same.
      val files = new LogFiles(folder.toString, conf)
      val scanned = entries.map(each => new PatchScan(files).read(each.position).get)
      assert(scanned.map(_.sha256) == entries.map(_.sha256))
      assert(scanned.head.copy(canonical = true, time = first.time) == first)
      assert(scanned.head.time.toEpochMilli == first.time.toEpochMilli)
      val log = new LogFolder(folder.toString, conf).open()
      assert(log.entries(0, 3).toSeq == entries && log.head.contains(idOf(2)))
      val own = Seq("_log/format/0000000000.json", "_log/tail.jsonl.gz")
      assert(filesIn(folder) == (0L to 2L).map(PatchNames.of) ++ own)
    }
  }

  test("many patches become segments and a tail") {
    inFolder { folder =>
      val writer = createdIn(folder)
      val entries = (0 until 250).map(each => append(writer, each.toLong, each).get)
      val files = new LogFiles(folder.toString, conf)
      val segment = IndexFiles.segment(IndexFiles.Positions(0, 200))
      assert(
        files.list(IndexFiles.Segments).keySet.map(name => s"_log/index/$name") == Set(segment)
      )
      val (head, tail) = (IndexFiles.read(files, segment).get, IndexFiles.tail(files).get)
      assert(head.first == 0 && head.entries == entries.take(200))
      assert(tail.first == 200 && tail.entries == entries.drop(200))
      assert(tail.chain == head.chainAt(199) && tail.prev.contains(idOf(199)))
      val log = new LogFolder(folder.toString, conf).open()
      assert(log.entries(0, 250).toSeq == entries && log.position(idOf(123)) == 123)
      // Damaged and lost files of the index are written again.
      Files.write(folder.resolve(segment), Array[Byte](1))
      Files.delete(folder.resolve(IndexFiles.Tail))
      assert(append(new LogWriter(folder.toString, conf), 250, 250).isDefined)
      assert(IndexFiles.read(files, segment).get.entries.map(_.id) == entries.take(200).map(_.id))
      assert(IndexFiles.tail(files).get.entries.map(_.id) == (200 to 250).map(idOf))
    }
  }

  test("writers in threads make one chain") {
    inFolder { folder =>
      val writers = Seq.fill(3)(createdIn(folder))
      val pool = Executors.newFixedThreadPool(6)
      val tasks = for (name <- 0 until 6) yield {
        val task: Callable[Seq[String]] = () => {
          val writer = writers(name % writers.size)
          (0 until 20).map(each => appendLast(folder, writer, s"$name-$each"))
        }
        pool.submit(task)
      }
      val ids = tasks.flatMap(_.get)
      pool.shutdown()
      val log = new LogFolder(folder.toString, conf).open()
      val entries = log.entries(0, 120).toSeq
      assert(log.next == 120 && entries.map(_.id).toSet == ids.toSet && ids.distinct.size == 120)
      assert(entries.map(_.prev) == None +: entries.map(each => Some(each.id)).dropRight(1))
      val scan = new PatchScan(new LogFiles(folder.toString, conf))
      assert(entries.forall(each => scan.read(each.position).map(_.id).contains(each.id)))
    }
  }

  test("a log whose index cannot be written") {
    inFolder { folder =>
      val writer = createdIn(folder)
      append(writer, 0, 0)
      val tail = folder.resolve(IndexFiles.Tail)
      Files.delete(tail)
      Files.createDirectories(tail.resolve("folder"))
      val other = new LogWriter(folder.toString, conf)
      val events = Logged.by[IndexWriter] {
        assert(append(writer, 1, 1).isDefined && append(other, 2, 2).isDefined)
      }
      val warnings = events.filter(_.getLevel.name == "WARN").map(_.getMessage.getFormattedMessage)
      assert(warnings.size == 2)
      assert(warnings.forall(_.startsWith(s"file:$folder/_log cannot be written to (")))
      assert(new LogFolder(folder.toString, conf).open().head.contains(idOf(2)))
    }
  }

  test("patches that cannot be appended") {
    inFolder { folder =>
      val writer = createdIn(folder)
      append(writer, 0, 0)
      def refused(patch: NewPatch, rows: NewPatch, expected: String): Unit =
        inStaging(writer, rows) { source =>
          val error = intercept[LogException](writer.append(source, 1, patch))
          assert(error.getMessage.contains(expected))
        }
      val (first, next) = (patchOf(0, 0), patchOf(1, 1))
      refused(next.copy(id = idOf(0)), next, "has the id of the patch before it, <urn:patch:0>")
      val other = next.copy(prev = Some("<urn:other>"))
      refused(other, other, s"after <urn:other>: the last patch of $folder is <urn:patch:0>")
      refused(next, first, "does not have one patch with the id <urn:patch:1> after <urn:patch:0>")
      assert(new LogFolder(folder.toString, conf).open().next == 1)
      assert(filesIn(folder).size == 3)
    }
  }

  test("a patch that has expired meanwhile") {
    inFolder { folder =>
      val writer = createdIn(folder)
      for (position <- 0 to 2) append(writer, position.toLong, position)
      val late = new LogWriter(folder.toString, conf)
      assert(append(late, 3, 3).isDefined)
      for (position <- 4 to 5) append(writer, position.toLong, position)
      val files = new LogFiles(folder.toString, conf)
      val block = IndexFiles.tail(files).get
      val settings = s"""{"version": 1, "generation": 1, "begin": 5, "prev": "${idOf(4)}", """ +
        s""""chain": "${block.chainAt(4)}", "adopted": 0, "time": "2026-01-01T00:00:00+00:00"}"""
      Files.write(folder.resolve(Settings.file(1)), settings.getBytes)
      for (position <- 0 to 4) Files.delete(folder.resolve(PatchNames.of(position.toLong)))
      assert(append(late, 4, 4).isEmpty)
      assert(!Files.exists(folder.resolve(PatchNames.of(4))))
      assert(append(late, 6, 6).isDefined)
      assert(new LogFolder(folder.toString, conf).open().entries(5, 7).map(_.id).size == 2)
    }
  }

  test("folders that have patches") {
    for (name <- Seq("1.jellyp", "b.rdfp.gz", "_log/snapshots/1.json")) inFolder { folder =>
      val file = folder.resolve(name)
      Files.createDirectories(file.getParent)
      Files.write(file, Array[Byte]())
      Files.write(folder.resolve("notes.txt"), Array[Byte]())
      Files.write(folder.resolve(".2.jellyp"), Array[Byte]())
      val writer = new LogWriter(folder.toString, conf)
      val error = intercept[LogException](writer.create())
      assert(error.getMessage.startsWith(s"$folder has patches, but is not a managed log, so"))
      val absent = intercept[LogException](append(writer, 0, 0))
      assert(absent.getMessage.startsWith(s"$folder is not a managed log: call Log.adopt"))
    }
  }

  test("file systems that cannot create a file only if it does not exist") {
    inFolder { folder =>
      val other = new Configuration(false)
      other.setClass("fs.other.impl", classOf[OtherFileSystem], classOf[FileSystem])
      val error = intercept[OptionException](new LogWriter(s"other://$folder", other).create())
      assert(error.getMessage.startsWith(s"no patch can be appended at other:$folder: this needs"))
      assert(filesIn(folder).isEmpty)
    }
  }

  test("a publisher that renames") {
    inFolder { folder =>
      val root = new HadoopPath(folder.toUri)
      val (fileSystem, own) = (root.getFileSystem(conf), new HadoopPath(root, "_log"))
      val publisher = new Publisher.RenamingPublisher(fileSystem, own, new Configuration)
      val target = new HadoopPath(root, "folder/file")
      def create(content: String): Boolean = {
        val source = new HadoopPath(Publisher.newStaging(own), "part")
        Publisher.write(fileSystem, source, content.getBytes)
        publisher.create(source, target, Instant.ofEpochSecond(7))
      }
      def content = Files.readString(folder.resolve("folder/file"))
      assert(create("first") && !create("second") && content == "first")
      assert(fileSystem.getFileStatus(target).getModificationTime == 7000)
      publisher.replace(target, "third".getBytes)
      publisher.replace(new HadoopPath(root, "new/other"), "fourth".getBytes)
      assert(content == "third" && Files.readString(folder.resolve("new/other")) == "fourth")
    }
  }

  private def createdIn(folder: Path): LogWriter = {
    val writer = new LogWriter(folder.toString, conf)
    writer.create()
    writer
  }

  /** Appends a patch as the last one, and returns its id. */
  @tailrec
  private def appendLast(folder: Path, writer: LogWriter, name: String): String = {
    val log = new LogFolder(folder.toString, conf).open()
    val patch = NewPatch(idOf(name), log.head, statements = true, prefixes = false, None)
    inStaging(writer, patch)(writer.append(_, log.next, patch)) match {
      case Some(entry) => entry.id
      case None        => appendLast(folder, writer, name)
    }
  }
}

private object LogWriterSuite {

  def idOf(name: Any): String = s"<urn:patch:$name>"

  def patchOf(number: Int, subjects: Int): NewPatch = {
    val prev = Option.when(number > 0)(idOf(number - 1))
    NewPatch(idOf(number), prev, statements = subjects > 0, prefixes = false, Some("\"kept\""))
  }

  /** Appends the patch with a number. */
  def append(
      writer: LogWriter,
      position: Long,
      number: Int,
      subjects: Int = 1,
      message: Option[Literal] = None
  ): Option[LogEntry] = {
    val patch = patchOf(number, subjects)
    inStaging(writer, patch, subjects, message)(writer.append(_, position, patch))
  }

  /** Writes the file of a patch in a staging folder, which is removed. */
  def inStaging[T](
      writer: LogWriter,
      patch: NewPatch,
      subjects: Int = 1,
      message: Option[Literal] = None
  )(use: HadoopPath => T): T = {
    def header(name: String, value: String) =
      RowValue(RowOp.Header, name = name, value = Iri(value.drop(1).dropRight(1)))
    val headers = header("id", patch.id) +: patch.prev.map(header("prev", _)).toSeq
    val text = message.map(value => RowValue(RowOp.Header, name = "message", value = value))
    val adds = (0 until subjects).map(each => RowValue.add(Iri(s"urn:a/subject/$each")))
    val rows = headers ++ text ++ (RowValue(RowOp.TransactionStart) +: adds) :+
      RowValue(RowOp.TransactionCommit)
    val bytes = RowValue.write(rows, PatchNames.appended.writer(Map.empty[String, String]))
    val staging = writer.newStaging()
    val source = new HadoopPath(staging, "part.jellyp")
    try {
      Publisher.write(source.getFileSystem(new Configuration(false)), source, bytes)
      use(source)
    } finally writer.remove(staging)
  }

  /** The names of all files below a folder, also hidden ones. */
  def filesIn(folder: Path): Seq[String] = Using.resource(Files.walk(folder)) {
    _.iterator.asScala
      .filter(Files.isRegularFile(_))
      .map(file => folder.relativize(file).toString)
      .toSeq
      .sorted
  }
}

/** The local file system by another name. */
final class OtherFileSystem extends RawLocalFileSystem {
  override def getUri: URI = URI.create("other:///")
}
