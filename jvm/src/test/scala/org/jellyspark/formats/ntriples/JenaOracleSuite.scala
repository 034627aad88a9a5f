package org.jellyspark.formats.ntriples

import java.io.ByteArrayInputStream
import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import org.apache.jena.graph.{Node, Triple}
import org.apache.jena.riot.{Lang, RDFParser}
import org.apache.jena.riot.lang.LabelToNode
import org.apache.jena.riot.system.{ErrorHandlerFactory, StreamRDFBase}
import org.apache.jena.sparql.core.Quad
import org.scalacheck.Gen

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.{JenaTerms, PropertySuite, RowValue, TermGenerators}
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms._

/** Compares with Jena's parsers. */
class JenaOracleSuite extends PropertySuite {

  private def readByJena(bytes: Array[Byte], lang: Lang): Seq[RowValue] = {
    val rows = mutable.ArrayBuffer.empty[RowValue]
    def put(graph: Node, s: Node, p: Node, o: Node): Unit = rows += RowValue(
      RowOp.Add,
      JenaTerms.toTerm(s),
      JenaTerms.toTerm(p),
      JenaTerms.toTerm(o),
      JenaTerms.toTerm(graph)
    )
    RDFParser
      .source(new ByteArrayInputStream(bytes))
      .lang(lang)
      .labelToNode(LabelToNode.createUseLabelAsGiven())
      .errorHandler(ErrorHandlerFactory.errorHandlerStrictNoLogging)
      .checking(false)
      .parse(new StreamRDFBase {
        override def triple(t: Triple): Unit = put(null, t.getSubject, t.getPredicate, t.getObject)

        override def quad(q: Quad): Unit =
          put(if (q.isDefaultGraph) null else q.getGraph, q.getSubject, q.getPredicate, q.getObject)
      })
    rows.toList
  }

  /** Without what Jena's language tags and N-Triples do not have. */
  private val isOfJena: Term => Boolean = {
    case _: TripleTerm       => false
    case Literal(_, lang, _) => lang == null || !lang.contains("--")
    case _                   => true
  }

  test("Jena reads the lines that we read, with the same terms") {
    forAll(Gen.listOf(Lines.statement.suchThat(_._2.forall(row => isOfJena(row.obj))))) { lines =>
      val bytes = lines.map(_._1).mkString.getBytes(UTF_8)
      assert(readByJena(bytes, Lang.NQUADS) == lines.flatMap(_._2))
    }
  }

  // Jena refuses other characters than those of an IRI, with or without an escape.
  private val iri = Gen.zip(Gen.alphaNumStr, Gen.oneOf("", "é", "%20", "~", "\u4e00")).map {
    case (start, end) => Iri(s"http://example.org/$start$end")
  }
  private val label = Gen.alphaNumStr.suchThat(_.nonEmpty).map(BlankNode)
  private val literal = Gen.oneOf(
    TermGenerators.text.map(Literal.simple),
    TermGenerators.text.map(Literal.tagged(_, "de-CH")),
    Gen.zip(TermGenerators.text, iri).map { case (lex, iri) => Literal.typed(lex, iri.value) }
  )

  private def row(graph: Gen[Term]): Gen[RowValue] = for {
    subject <- Gen.oneOf(iri, label)
    predicate <- iri
    obj <- Gen.oneOf(iri, label, literal)
    graph <- graph
  } yield RowValue(RowOp.Add, subject, predicate, obj, graph)

  private def checkWritten(format: RowFormat, lang: Lang, graph: Gen[Term]): Unit =
    forAll(Gen.listOf(row(graph))) { rows =>
      val bytes = RowValue.write(rows, format.writer(Map.empty))
      assert(readByJena(bytes, lang) == rows)
      assert(RowValue.read(bytes, format.reader(Map.empty)) == rows)
    }

  test("Jena reads the N-Triples that we write") {
    checkWritten(NTriplesFormat, Lang.NTRIPLES, Gen.const(DefaultGraph))
  }

  test("Jena reads the N-Quads that we write") {
    checkWritten(NQuadsFormat, Lang.NQUADS, Gen.oneOf(Gen.const(DefaultGraph), iri, label))
  }

  test("what is written is read back, and the rest refused") {
    val any = for {
      subject <- TermGenerators.term
      predicate <- Gen.oneOf(iri, TermGenerators.term)
      obj <- TermGenerators.term
      graph <- TermGenerators.graph
    } yield RowValue(RowOp.Add, subject, predicate, obj, graph)
    var count = 0
    forAll(any, minSuccessful(2000)) { row =>
      try {
        val bytes = RowValue.write(Seq(row), NQuadsFormat.writer(Map.empty))
        assert(RowValue.read(bytes, NQuadsFormat.reader(Map.empty)) == Seq(row))
        count += 1
      } catch { case _: UnwritableRowException => }
    }
    assert(count > 20)
  }
}
