package org.jellyspark.formats.rdfpatch

import java.io.ByteArrayInputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

import org.jellyspark.core.RowValue
import org.jellyspark.core.formats.{FilePart, RowReader}
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, NTriples, Term}

/** The cases in `tests/cases_text`, which the tests of both languages use; see its README. */
private[rdfpatch] object TextCases {
  private val folder = Paths.get("tests", "cases_text")
  private val json = new ObjectMapper

  /** The files to read, by name. */
  def names: Seq[String] =
    Files.list(folder).iterator().asScala.map(_.getFileName.toString).toSeq.sorted.collect {
      case name if name.endsWith(".rdfp") => name.stripSuffix(".rdfp")
    }

  def text(name: String): Array[Byte] = Files.readAllBytes(folder.resolve(s"$name.rdfp"))

  /** The rows of a file to read. */
  def rows(name: String): Seq[Seq[String]] = lines(s"$name.jsonl").map(texts)

  /** The JSON objects of a file with one per line. */
  def lines(file: String): Seq[JsonNode] =
    Files.readAllLines(folder.resolve(file), UTF_8).asScala.toSeq.map(json.readTree)

  def lists(arrays: JsonNode): Seq[Seq[String]] = arrays.elements().asScala.map(texts).toSeq

  def texts(array: JsonNode): Seq[String] = array.elements().asScala.map(_.textValue).toSeq

  def read(bytes: Array[Byte]): Seq[RowValue] =
    RowValue.read(bytes, RdfPatch.reader(strict = false))

  def reader(
      bytes: Array[Byte],
      part: FilePart = FilePart.Whole,
      strict: Boolean = false
  ): RowReader =
    RdfPatch.reader(strict).open(new ByteArrayInputStream(bytes), "file", part)

  /** A row in the form of the cases: its code, then its columns up to the last that is set. */
  def line(row: RowValue): Seq[String] = {
    def term(term: Term): Seq[String] =
      if (term == null || term == DefaultGraph) Nil else Seq(NTriples.format(term))
    val columns = row.op match {
      case RowOp.Add | RowOp.Delete =>
        Seq(row.subject, row.predicate, row.obj, row.graph).flatMap(term)
      case RowOp.Header | RowOp.PrefixAdd | RowOp.PrefixDelete =>
        row.name +: Seq(row.value, row.graph).flatMap(term)
      case _ => Nil
    }
    row.op.code +: columns
  }

  /** The row of a line in the form of the cases. */
  def row(line: Seq[String]): RowValue = {
    val op = RowOp.ofCode(line.head)
    def term(index: Int): Term = NTriples.parse(line(index))
    def graph(index: Int): Term = if (index < line.length) term(index) else DefaultGraph
    op match {
      case RowOp.Add | RowOp.Delete => RowValue(op, term(1), term(2), term(3), graph(4))
      case RowOp.Header             => RowValue(op, name = line(1), value = term(2))
      case RowOp.PrefixAdd          =>
        RowValue(op, name = line(1), value = term(2), graph = graph(3))
      case RowOp.PrefixDelete => RowValue(op, name = line(1), graph = graph(2))
      case _                  => RowValue(op)
    }
  }
}
