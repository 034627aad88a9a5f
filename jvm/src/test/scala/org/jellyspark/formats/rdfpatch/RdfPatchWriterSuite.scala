package org.jellyspark.formats.rdfpatch

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.core.RowValue.ofCodes
import org.jellyspark.core.formats.WriterFactory
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, TripleTerm}
import org.jellyspark.core.{PropertySuite, RowValue, TermGenerators}
import org.jellyspark.{OptionException, UnwritableRowException}

class RdfPatchWriterSuite extends PropertySuite {
  override protected def examples: PosInt = 1000

  private val jena = RdfPatch.writer(RdfPatchOptions())
  private val v1 = RdfPatch.writer(RdfPatchOptions(Style.V1))

  private def text(rows: Seq[RowValue], writer: WriterFactory): String =
    new String(RowValue.write(rows, writer), UTF_8)

  private def rule(rows: RowValue*): String =
    intercept[UnwritableRowException](text(rows, jena)).rule

  private def isWritable(row: RowValue, writer: WriterFactory): Boolean =
    try {
      RowValue.writeAsRead(Seq(row), writer)
      true
    } catch { case _: UnwritableRowException => false }

  test("rows survive a round trip") {
    forAll(Gen.listOf(RdfPatchRows.row)) { rows =>
      val writable = rows.filter(isWritable(_, jena))
      assert(TextCases.read(RowValue.writeAsRead(writable, jena)) == writable)
    }
  }

  test("statements survive a round trip in style v1") {
    val name = Gen.oneOf("", "a", "b", "é.x")
    val iri = Gen.oneOf("http://a.example/", "http://a.example/x", "http://b.example/x#", "urn:x:")
    val prefix = Gen.zip(name, iri).map { case (name, iri) =>
      RowValue(RowOp.PrefixAdd, name = name, value = Iri(iri))
    }
    val few = Gen.oneOf("http://a.example/x", "http://a.example/x-1", "urn:x:y:z").map(Iri)
    val statement = for {
      (s, p, o) <- Gen.zip(few, few, RdfPatchRows.term)
      graph <- Gen.option(few)
    } yield RowValue(RowOp.Add, s, p, o, graph.getOrElse(DefaultGraph))
    forAll(Gen.listOf(Gen.frequency(1 -> prefix, 3 -> statement, 1 -> RdfPatchRows.row))) { rows =>
      val writable = rows.filter(isWritable(_, v1))
      val statements = writable.filter(_.op != RowOp.PrefixAdd)
      assert(TextCases.read(RowValue.writeAsRead(writable, v1)) == statements)
    }
  }

  test("a new value of patch ends a patch") {
    val rows = Seq(0L, 0L, 1L).map(patch => RowValue.add(Iri("s")).toRow(patch = patch))
    assert(new String(RowValue.writeRows(rows, jena), UTF_8).linesIterator.toSeq(2) == "Z .")
  }

  test("a transaction must end in its patch") {
    assert(rule(ofCodes("TX A END"): _*).startsWith("a transaction must be closed"))
    assert(rule(ofCodes("TX A"): _*).startsWith("a transaction must be closed"))
    assert(rule(ofCodes("TC"): _*) == "TC needs a TX before it")
    assert(text(ofCodes("TX TC END"), jena) == "TX .\nTC .\nZ .\n")
  }

  test("incomplete rows are refused") {
    assert(
      rule(RowValue(RowOp.Add, Iri("s"), Iri("p"))) ==
        "A and D need a subject, a predicate and an object"
    )
    assert(rule(RowValue(RowOp.Header, name = "k")) == "H needs a name and a value")
    assert(rule(RowValue(RowOp.Header, value = Iri("v"))) == "H needs a name and a value")
    assert(rule(RowValue(RowOp.PrefixAdd, value = Iri("v"))) == "PA and PD need a name")
    assert(rule(RowValue(RowOp.PrefixDelete)) == "PA and PD need a name")
    assert(rule(RowValue(RowOp.PrefixAdd, name = "a")) == "PA needs a value")
    assert(
      rule(RowValue(RowOp.PrefixAdd, name = "a", value = BlankNode("b"))) ==
        "the value of PA and PD must be an IRI"
    )
    assert(
      rule(RowValue(RowOp.PrefixDelete, name = "a", value = Iri("v"))) ==
        "the value of PD must be null in this format"
    )
  }

  test("at most 63 triple terms can be nested, which is the readers' limit") {
    val deepest = RowValue.add(TermGenerators.nested(TripleTerm.MaxDepth))
    assert(TextCases.read(RowValue.write(Seq(deepest), jena)) == Seq(deepest))
    assert(
      rule(RowValue.add(TermGenerators.nested(TripleTerm.MaxDepth + 1))) ==
        "triple terms must be nested at most 63 deep"
    )
  }

  test("lone surrogates are refused") {
    Seq(
      Iri("\ud83d"),
      Literal.simple("a\ude00"),
      BlankNode("\ud83dx"),
      Literal.typed("1", "\udfff")
    )
      .foreach(term =>
        assert(
          rule(
            RowValue.add(term)
          ) == "a term must not hold a lone surrogate, which UTF-8 cannot encode"
        )
      )
    val prefix = RowValue(RowOp.PrefixAdd, name = "a", value = Iri("i"))
    assert(
      rule(
        prefix.copy(name = "\ud83d")
      ) == "a name must not hold a lone surrogate, which UTF-8 cannot encode"
    )
    assert(
      rule(
        prefix.copy(value = Iri("\ud83d"))
      ) == "a term must not hold a lone surrogate, which UTF-8 cannot encode"
    )
    assert(
      rule(
        RowValue.header(Iri("v")).copy(name = "a\ud83d")
      ) == "a name must not hold a lone surrogate, which UTF-8 cannot encode"
    )
  }

  test("nothing is written of a refused row, or after it") {
    val out = new ByteArrayOutputStream
    val writer = jena.open(out)
    val long = RowValue.add(Literal.simple("x" * 100000))
    writer.write(long.toRow())
    intercept[UnwritableRowException](writer.write(long.copy(graph = BlankNode("\ud83d")).toRow()))
    intercept[IllegalStateException](writer.write(long.toRow()))
    writer.finish()
    assert(out.toString(UTF_8) == text(Seq(long), jena))
  }

  test("an unknown style is an error") {
    val error = intercept[OptionException](RdfPatch.writer(Map("STYLE" -> "v2")))
    assert(error.getMessage == "style must be one of: jena, v1; not 'v2'")
    assert(
      text(
        Seq(RowValue(RowOp.PrefixAdd, name = "a", value = Iri("b:"))),
        RdfPatch.writer(Map("Style" -> "V1"))
      ) == "@prefix a: <b:> .\n"
    )
  }
}
