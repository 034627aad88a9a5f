package org.jellyspark.log

import java.nio.file.Paths
import java.time.Instant

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.LogException
import org.jellyspark.log.index.IndexFiles

/** Reads the log among the files of `tests/own_formats`, which Python wrote: its first two patches
  * are in a pack, and it has a snapshot. `tests/log/test_scala_reader.py` compares other logs with
  * what Python finds in them.
  */
class LogViewSuite extends AnyFunSuite {
  private val path = Paths.get("tests", "own_formats", "files", "1", "log").toAbsolutePath
  private val log = new LogFolder(path.toString, new Configuration(false)).open()
  private val ids = (0 to 3).map(number => s"<urn:patch:$number>")

  test("the patches") {
    assert(log.begin == 0 && log.next == 4 && log.head.contains(ids.last) && log.before.isEmpty)
    assert(log.entries(0, 4).map(_.id).toSeq == ids)
    assert(log.entries(1, 3).map(_.prev.get).toSeq == ids.take(2))
    assert(log.entries(4, 4).isEmpty)
  }

  test("the files, of which one is a pack") {
    val files = log.files(1, 4)
    assert(files.map(_.format).toSet == Set("jelly_patch"))
    assert(files.map(_.patches) == Seq(Seq(1L -> 1L), Seq(0L -> 2L), Seq(0L -> 3L)))
    val pack = files.head.path.stripPrefix(s"file:$path/_log/packs/")
    assert(pack.matches("0{20}-0{19}1-[0-9a-f]{8}\\.jellyp"))
    assert(files.last.path == s"file:$path/${"0" * 19}3.jellyp")
  }

  test("the names of versions") {
    assert(ids.map(log.position) == Seq(0, 1, 2, 3))
    assert(log.position(-1) == 3 && log.position(2) == 2)
    val times = log.entries(0, 4).map(_.time).toSeq
    assert(times.map(log.positionAt).last == 3)
    assert(log.positionAt(times.head.minusSeconds(1)) == -1)
    assert(log.positionAt(Instant.MAX) == 3)
    for (number <- Seq(-5L, 4L)) {
      val error = intercept[LogException](log.position(number))
      assert(error.getMessage.endsWith(s" no patch at position $number: it has positions 0 to 3"))
    }
    val error = intercept[LogException](log.position("<urn:unknown>"))
    assert(error.getMessage.startsWith("the log has no patch with the id <urn:unknown>: a version"))
  }

  test("the snapshot") {
    val found = log.snapshot(3).get
    assert(found.position == 2 && found.id == ids(2) && log.snapshot(2).contains(found))
    assert(found.files.size == 1 && found.files.head.endsWith("/state.jelly.gz"))
    assert(log.snapshot(1).isEmpty)
  }

  test("a view that nothing was appended to stays the same") {
    assert(log.refreshed() eq log)
  }

  test("few segments cover all complete blocks of patches") {
    for (count <- Seq(0L, 99L, 100L, 199L, 300L, 20000L, 999999L, 1000000L, 12345678L)) {
      val found = IndexFiles.segments(0, count).toSeq
      assert(found.map(_.start) == (0L +: found.map(_.end)).take(found.size))
      assert(found.map(each => each.end - each.start).sum == count / 100 * 100)
      assert(found.size <= count / 409600 + 12)
    }
    assert(IndexFiles.segments(250, 300).map(_.start).toSeq == Seq(200))
  }
}
