package org.jellyspark.formats.rdfpatchthrift

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import org.apache.jena.rdfpatch.binary.{RDFChangesWriterBinary, RDFPatchReaderBinary}

import org.jellyspark.core.{JenaPatches, RowValue}

/** The reference: Jena's reader and writer of RDF Patch Thrift. */
object JenaThrift {

  def write(rows: Seq[RowValue]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    RDFChangesWriterBinary.writeBinary(out, changes => rows.foreach(JenaPatches(_, changes)))
    out.toByteArray
  }

  def read(bytes: Array[Byte]): Seq[RowValue] =
    JenaPatches.collect(RDFPatchReaderBinary.read(new ByteArrayInputStream(bytes), _))
}
