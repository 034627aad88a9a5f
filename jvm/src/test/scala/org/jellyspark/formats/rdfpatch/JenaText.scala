package org.jellyspark.formats.rdfpatch

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.util.Try

import org.apache.jena.rdfpatch.text.{RDFChangesWriterText, RDFPatchReaderText}

import org.jellyspark.core.terms.Term
import org.jellyspark.core.{JenaPatches, JenaTerms, RowValue}

/** The reference: Jena's writer and reader of RDF Patch, for our rows. */
private[rdfpatch] object JenaText {

  /** Writes rows with Jena. */
  def write(rows: Seq[RowValue]): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    val out = RDFChangesWriterText.create(bytes)
    out.start()
    rows.foreach(JenaPatches(_, out))
    out.finish()
    bytes.toByteArray
  }

  /** Reads rows with Jena; None if it reports an error. */
  def read(bytes: Array[Byte]): Option[Seq[RowValue]] = Try {
    JenaPatches.collect(new RDFPatchReaderText(new ByteArrayInputStream(bytes)).apply(_))
  }.toOption

  /** Whether Jena's nodes keep a row's terms unchanged: they normalize language tags. */
  def holds(term: Term): Boolean =
    term == null || Try(JenaTerms.toTerm(JenaTerms.toNode(term))).toOption.contains(term)

  def holds(row: RowValue): Boolean =
    Seq(row.subject, row.predicate, row.obj, row.graph, row.value).forall(holds)
}
