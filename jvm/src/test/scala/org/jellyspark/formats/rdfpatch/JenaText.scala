package org.jellyspark.formats.rdfpatch

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.util.Try

import org.apache.jena.rdfpatch.text.{RDFChangesWriterText, RDFPatchReaderText}

import org.jellyspark.core.terms.Term
import org.jellyspark.core.{JenaPatches, JenaTerms, RowValue}

/** Jena's own writer and reader of RDF Patch, with our rows. */
private[rdfpatch] object JenaText {

  /** What Jena writes for rows. */
  def write(rows: Seq[RowValue]): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    val out = RDFChangesWriterText.create(bytes)
    out.start()
    rows.foreach(JenaPatches(_, out))
    out.finish()
    bytes.toByteArray
  }

  /** The rows that Jena reads; none if it finds something wrong. */
  def read(bytes: Array[Byte]): Option[Seq[RowValue]] = Try {
    JenaPatches.collect(new RDFPatchReaderText(new ByteArrayInputStream(bytes)).apply(_))
  }.toOption

  /** Whether Jena's nodes can hold a term as it is: they have language tags in one form only. */
  def holds(term: Term): Boolean =
    term == null || Try(JenaTerms.toTerm(JenaTerms.toNode(term))).toOption.contains(term)

  def holds(row: RowValue): Boolean =
    Seq(row.subject, row.predicate, row.obj, row.graph, row.value).forall(holds)
}
