package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.{PropertySuite, RowValue}

/** Jena's own writer and reader, live, and ours on the same rows and texts. */
class JenaOracleSuite extends PropertySuite {
  // Enough for all that the generators have, in seconds.
  override protected def examples: PosInt = 1000

  private def write(rows: Seq[RowValue]): Array[Byte] =
    RowValue.writeAsRead(rows, RdfPatch.writer(RdfPatchOptions()))

  /** What we write for a row; none if we refuse it. */
  private def written(row: RowValue): Option[String] =
    try Some(new String(write(Seq(row)), UTF_8))
    catch { case _: UnwritableRowException => None }

  private val held = RowGenerators.row.suchThat(JenaText.holds)

  test(
    "a row that Jena gives back is written as Jena writes it, any other so that it is given back"
  ) {
    forAll(held) { row =>
      val theirs = JenaText.write(Seq(row))
      val ours = written(row)
      if (JenaText.read(theirs).contains(Seq(row))) assert(ours.contains(new String(theirs, UTF_8)))
      else ours.foreach(text => assert(JenaText.read(text.getBytes(UTF_8)).contains(Seq(row))))
    }
  }

  test("what we write is read by both as it was") {
    forAll(Gen.listOf(RowGenerators.row.suchThat(JenaText.holds))) { rows =>
      val writable = rows.filter(written(_).isDefined)
      val bytes = write(writable)
      assert(TextCases.read(bytes) == writable)
      assert(JenaText.read(bytes).contains(writable))
    }
  }

  test("what Jena writes is read by us as it was, if by Jena") {
    forAll(Gen.listOf(held)) { rows =>
      val readable = rows.filter(row => JenaText.read(JenaText.write(Seq(row))).contains(Seq(row)))
      assert(TextCases.read(JenaText.write(readable)) == readable)
    }
  }

  test("whatever Jena reads we read alike, but for what is said in the docs") {
    forAll(TextGenerators.text) { text =>
      val bytes = text.getBytes(UTF_8)
      JenaText.read(bytes).foreach(theirs => assert(TextCases.read(bytes) == theirs))
    }
  }
}
