package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.core.PropertySuite
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.FilePart

/** Reads files in parts. */
class RdfPatchPartsSuite extends PropertySuite {
  override protected def examples: PosInt = 1000

  private def parts(boundaries: Seq[Int], length: Int): Seq[FilePart] = {
    val all = (0 +: boundaries :+ length).map(_.toLong)
    all.zip(all.tail).map { case (start, end) => FilePart(start, end) }
  }

  private def isSplitAnywhere(
      text: String,
      strict: Boolean = false,
      rowLimit: RowLimit = RowLimit.Default
  ): Unit = {
    val bytes = text.getBytes(UTF_8)
    def read(part: FilePart) = ReadRecords.of(bytes, part, strict, rowLimit)
    val whole = read(FilePart.Whole)
    (0 to bytes.length).foreach { at =>
      val records = parts(Seq(at), bytes.length).flatMap(read)
      withClue(s"at $at of $text: ")(assert(records == whole))
    }
  }

  private def isSplit(text: String, boundaries: Int*): Unit = {
    val bytes = text.getBytes(UTF_8)
    val records = parts(boundaries, bytes.length).flatMap(ReadRecords.of(bytes, _))
    assert(records == ReadRecords.of(bytes)): Unit
  }

  /** The number of rows in each part. */
  private def counts(text: String, boundaries: Int*): Seq[Int] = {
    val bytes = text.getBytes(UTF_8)
    parts(boundaries, bytes.length).map(ReadRecords.of(bytes, _).length)
  }

  test("the parts of a file have its rows, each once, with the ordinals of the whole file") {
    val cases = for {
      text <- RdfPatchTexts.anyText
      length = text.getBytes(UTF_8).length
      count <- Gen.choose(0, 5)
      boundaries <- Gen.listOfN(count, Gen.choose(0, length))
      strict <- Gen.oneOf(true, false)
    } yield (text, boundaries.sorted, strict)
    forAll(cases) { case (text, boundaries, strict) =>
      val bytes = text.getBytes(UTF_8)
      val records = parts(boundaries, bytes.length).flatMap(ReadRecords.of(bytes, _, strict))
      assert(records == ReadRecords.of(bytes, strict = strict))
    }
  }

  test("a file can be split at any byte") {
    isSplitAnywhere("")
    isSplitAnywhere("# nothing but a comment")
    isSplitAnywhere(
      "\ufeffTX .\r\n\r\nA <s> <p> 'é' . # é\n  Z . TC . TX .\nA <s> <p> <o> <g> .\nTC .\n"
    )
    isSplitAnywhere("A <s> <p> 'o' <g> .\nA <t> <q> <o> .\nTX .\nA R R R R .\nA R R R .\n")
    isSplitAnywhere("A <s> <p> << <s> <p> 1 >> true .\nZ .\nA R R R R .\n")
    isSplitAnywhere("TX .\n@prefix ex: <http://example/> .\nA ex:a <p> <o> .\nTC .\nA ex:b R R .\n")
    isSplitAnywhere("TX .\nA <s> <p> '''o\n\nTC .\n''' .\nZ .\nTC .\n")
    isSplitAnywhere("TX .\nA <s>\n<p> <o>\n .\nZ .\nTC .\n")
    isSplitAnywhere("TX .\nA <s> <p> .\nZ .\nA <s> <p> '''\nTC .\n")
    isSplitAnywhere("H prev <x>\nTX .\nTC .\nH a <_:b> \r\n# c\nTX .\nTC .\nH a 'a'\nTX .\nH a <x>")
    isSplitAnywhere("TX .\nTC .\nH prev <x>\nTX .\nTC .\n", strict = true)
    isSplitAnywhere("TX .\nTX .\nTC .\nTX .\n", strict = true)
    isSplitAnywhere("TC .\nTX .\n# end", strict = true)
  }

  test("rows of one line belong to the part in which they begin") {
    assert(counts("TX .\nA <s> <p> <o> .\nTC .\n", 4, 5, 10) == Seq(1, 0, 1, 1))
    assert(counts("H prev <x>\nTX .\nTC .\n", 11, 16) == Seq(1, 1, 1))
    assert(counts("TX . TC .\nZ .\n# c\nZ .\n", 4, 11) == Seq(1, 2, 1))
  }

  test("the part with the first row that depends on others takes all further rows") {
    assert(counts("TX .\n@prefix a: <http://a> .\nTC .\nZ .\n", 5, 10) == Seq(1, 2, 0))
    assert(counts("TX .\nA <s> <p> <o> .\nA R R R .\nZ .\nZ .\n", 5, 25, 35) == Seq(1, 4, 0, 0))
    assert(counts("TX\n.\nTC .\nZ .\n", 1, 5) == Seq(3, 0, 0))
    assert(counts("TX .\nno row\nTC .\nZ .\n", 5, 12) == Seq(1, 3, 0))
  }

  test("no row is lost or doubled around malformed rows") {
    // Whether terms are made or only checked, and what a malformed row has begun before its error.
    isSplitAnywhere("TX .\nTX . oops\nA <s> <p> '''\nTC .\nA <s> <p> oops:o .\n''' .\nZ .\n")
    isSplitAnywhere("A <s> <p> <o> .\nA <t> <p> .\nA <s> R R .\n@prefix a: b\nA R a:p 1 .\n")
    isSplitAnywhere("TX .\nTX . TC .\nno\nTC .\nTX .\nZ .\n", strict = true)
  }

  test("no row is lost after one that is too long only as text") {
    val row = "A <s:a> <p:b> \"1\" .\n"
    val quotes = "A <s:a> <p:b> '" + "\"" * 500 + "' .\n"
    val nested = "A <s:a> <p:b> " + "<< <s:a> <p:b> " * 6 + "<o>" + " >>" * 6 + " .\n"
    List(quotes, nested).foreach { long =>
      isSplitAnywhere(row * 3 + long + row * 5, rowLimit = RowLimit(700))
    }
  }

  test("lines that look like rows may be inside a literal that began far before") {
    val rows = "A <s> <p> <o> .\n" * 1000
    isSplit(s"A <s> <p> '''\n$rows''' .\nTC .\n", 20, 5000, 10000, 15000)
  }

  test("the parts of all splits are the whole file, whatever the splits are") {
    val cases = for {
      length <- Gen.frequency(1 -> Gen.choose(0L, 20L), 3 -> Gen.choose(0L, 1L << 50))
      count <- Gen.choose(0, 100)
      ends <- Gen.listOfN(count, Gen.choose(0L, length))
    } yield (length, (0L +: ends.sorted :+ length))
    forAll(cases) { case (length, ends) =>
      val splits = ends.zip(ends.tail).map { case (start, end) => FilePart(start, end) }
      val parts = splits.map(RdfPatch.partOf(_, length)).filterNot(_.isEmpty)
      if (length > 0) assert(parts.head.start == 0 && parts.last.end == length)
      assert(parts.zip(parts.drop(1)).forall { case (part, next) => part.end == next.start })
      assert(parts.length <= TextParts.Count)
      // Each reads the file up to the end of its part.
      assert(parts.map(_.end / 1000.0).sum <= 3.3 * length / 1000)
    }
  }

  test("a file that is split once or not at all") {
    val whole = FilePart(0, 1000)
    assert(RdfPatch.partOf(whole, 1000) == whole)
    assert(RdfPatch.partOf(FilePart(0, 500), 1000) == FilePart(0, 533))
    assert(RdfPatch.partOf(FilePart(500, 1000), 1000) == FilePart(533, 1000))
  }

  test("a part after the end of the file is empty") {
    val bytes = "TX .\n".getBytes(UTF_8)
    assert(ReadRecords.of(bytes, FilePart(5, 10), strict = true).isEmpty)
    assert(ReadRecords.of(bytes, FilePart(7, 10), strict = true).isEmpty)
    assert(ReadRecords.of(bytes, FilePart(0, 10), strict = true).length == 2)
  }
}
