package org.jellyspark.formats.jellyrdf

import java.io.{ByteArrayInputStream, InputStream, OutputStream, SequenceInputStream}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.terms.{Iri, Literal}
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.WireBytes._

/** Reads and writes files that are longer than the memory of the tests. */
class RdfMemorySuite extends AnyFunSuite {
  private val rowCount = 1100
  private val literal = Literal.simple("x" * (1 << 20))

  /** A row with the literal, after a row whose other terms it repeats. */
  private val row = field(JellyRdfFields.Kind.Triple, field(11, text(1, literal.lex)))
  private val first = Seq(
    RdfBytes.options(3),
    field(JellyRdfFields.Kind.GraphStart, field(3)),
    field(JellyRdfFields.Kind.Triple, text(2, "s"), text(6, "p"), text(10, "o"))
  )

  private def countRows(head: Array[Byte], part: Array[Byte]): Int = {
    val streams =
      (head +: Seq.fill(rowCount)(part)).iterator.map(new ByteArrayInputStream(_): InputStream)
    val in = new SequenceInputStream(streams.asJavaEnumeration)
    val reader = JellyRdf.reader(ReadOptions(), namespaces = false).open(in, "file")
    Iterator.continually(reader).takeWhile(_.next()).count(_.row.obj == literal)
  }

  test("frames are read in bounded memory") {
    assert(countRows(frame(first: _*), frame(row)) == rowCount)
  }

  test("one long frame is read in bounded memory") {
    assert(countRows(rows(first: _*), rows(row)) == rowCount)
  }

  test("rows are written in bounded memory, delimited or not") {
    Seq(true, false).foreach { delimited =>
      val options =
        JellyRdfOptions.of(PhysicalType.Graphs).copy(frameSize = 16, delimited = delimited)
      val out = new CountingStream
      val writer = JellyRdf.writer(options).open(out)
      val terms = Seq(literal, Literal.simple(literal.lex + "y"))
      (0 until rowCount).foreach { i =>
        writer.write(RdfBytes.statement(Iri("s"), Iri("p"), terms(i % 2)).toRow())
      }
      writer.finish()
      assert(out.count > (rowCount.toLong << 20))
    }
  }

  private final class CountingStream extends OutputStream {
    var count = 0L

    override def write(byte: Int): Unit = count += 1

    override def write(bytes: Array[Byte], start: Int, length: Int): Unit = count += length.toLong
  }
}
