package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.{PropertySuite, RowValue}

/** Compares with Jena's writer and reader on the same rows and text. */
class JenaOracleSuite extends PropertySuite {
  // Enough to reach all alternatives of the generators.
  override protected def examples: PosInt = 1000

  private def write(rows: Seq[RowValue]): Array[Byte] =
    RowValue.writeAsRead(rows, RdfPatch.writer(RdfPatchOptions()))

  /** Writes a row; None if it is refused. */
  private def written(row: RowValue): Option[String] =
    try Some(new String(write(Seq(row)), UTF_8))
    catch { case _: UnwritableRowException => None }

  private val held = RdfPatchRows.row.suchThat(JenaText.holds)

  test(
    "a row that survives Jena's round trip has Jena's bytes, and any other can be read by Jena"
  ) {
    forAll(held) { row =>
      val theirs = JenaText.write(Seq(row))
      val ours = written(row)
      if (JenaText.read(theirs).contains(Seq(row))) assert(ours.contains(new String(theirs, UTF_8)))
      else ours.foreach(text => assert(JenaText.read(text.getBytes(UTF_8)).contains(Seq(row))))
    }
  }

  test("rows that we write are read back by both") {
    forAll(Gen.listOf(RdfPatchRows.row.suchThat(JenaText.holds))) { rows =>
      val writable = rows.filter(written(_).isDefined)
      val bytes = write(writable)
      assert(TextCases.read(bytes) == writable)
      assert(JenaText.read(bytes).contains(writable))
    }
  }

  test("rows that survive Jena's round trip are read back by us") {
    forAll(Gen.listOf(held)) { rows =>
      val readable = rows.filter(row => JenaText.read(JenaText.write(Seq(row))).contains(Seq(row)))
      assert(TextCases.read(JenaText.write(readable)) == readable)
    }
  }

  test("we read text as Jena does") {
    forAll(RdfPatchTexts.text) { text =>
      val bytes = text.getBytes(UTF_8)
      JenaText.read(bytes).foreach(theirs => assert(TextCases.read(bytes) == theirs))
    }
  }
}
