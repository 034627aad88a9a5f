package org.jellyspark.benchmarks

import java.io.{BufferedInputStream, FileInputStream}

import scala.util.Using

import eu.neverblink.jelly.convert.jena.riot.JellyLanguage
import org.apache.jena.rdfpatch.binary.RDFPatchReaderBinary
import org.apache.jena.rdfpatch.changes.RDFChangesApply
import org.apache.jena.riot.RDFParser
import org.apache.jena.sparql.core.DatasetGraphFactory

/** Jena's in-memory dataset, to which it applies a log. */
object JenaApply {

  /** Loads a state, applies a log, and returns how many triples the default graph then has.
    *
    * @param state
    *   a Jelly-RDF file
    * @param log
    *   a file of RDF Patch in Thrift
    */
  def statements(state: String, log: String): Long = {
    val dataset = DatasetGraphFactory.create()
    RDFParser.source(state).forceLang(JellyLanguage.JELLY).parse(dataset)
    Using.resource(new BufferedInputStream(new FileInputStream(log), Peers.BufferSize)) {
      RDFPatchReaderBinary.read(_, new RDFChangesApply(dataset))
    }
    dataset.getDefaultGraph.size().toLong
  }
}
