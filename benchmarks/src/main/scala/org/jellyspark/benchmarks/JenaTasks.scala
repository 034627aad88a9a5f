package org.jellyspark.benchmarks

import eu.neverblink.jelly.convert.jena.JenaConverterFactory
import eu.neverblink.jelly.convert.jena.riot.{JellyFormatVariant, JellyLanguage, JellyStreamWriter}
import eu.neverblink.jelly.core.JellyOptions
import eu.neverblink.jelly.core.proto.v1.{LogicalStreamType, PhysicalStreamType}
import org.apache.jena.graph.{Node, Triple}
import org.apache.jena.rdfpatch.RDFChanges
import org.apache.jena.rdfpatch.binary.{RDFChangesWriterBinary, RDFPatchReaderBinary}
import org.apache.jena.rdfpatch.changes.{RDFChangesApply, RDFChangesBase}
import org.apache.jena.rdfpatch.text.{RDFChangesWriterText, RDFPatchReaderText}
import org.apache.jena.riot.{Lang, RDFParser}
import org.apache.jena.riot.system.{StreamRDFBase, StreamRDFLib}
import org.apache.jena.sparql.core.{DatasetGraphFactory, Quad}

/** What Jena and jelly-jena do. Each task returns how many statements there were. */
object JenaTasks {

  /** Reads a file of Turtle with RIOT. */
  def readTurtle(file: String): Long = {
    val counter = StreamRDFLib.count()
    RDFParser.source(file).forceLang(Lang.TURTLE).parse(counter)
    counter.count
  }

  /** Reads a patch in a form of RDF Patch, `text` or `thrift`. */
  def readPatch(form: String, file: String): Long = {
    val counter = new Counter
    Peers.read(file) { in =>
      form match {
        case "text"   => new RDFPatchReaderText(in).apply(counter)
        case "thrift" => RDFPatchReaderBinary.read(in, counter)
      }
    }
    counter.added
  }

  /** Writes a patch that adds the statements, in a form of RDF Patch. */
  def writePatch(form: String, held: HeldStatements, file: String): Long =
    Peers.write(file) { out =>
      var written = 0L
      def sendTo(changes: RDFChanges): Unit = written = held.sendTo(new Adder(changes))
      form match {
        case "text" =>
          val writer = RDFChangesWriterText.create(out)
          sendTo(writer)
          writer.finish()
        case "thrift" => RDFChangesWriterBinary.writeBinary(out, sendTo(_))
      }
      written
    }

  /** Writes a Jelly-RDF file with jelly-jena's own writer of streams, which has the buffers and
    * messages of one frame for all, with the default options and frames.
    */
  def writeJelly(held: HeldStatements, file: String): Long = {
    val (physical, logical) =
      if (held.areTriples) (PhysicalStreamType.TRIPLES, LogicalStreamType.FLAT_TRIPLES)
      else (PhysicalStreamType.QUADS, LogicalStreamType.FLAT_QUADS)
    val options =
      JellyOptions.BIG_ALL_FEATURES.clone().setPhysicalType(physical).setLogicalType(logical)
    val variant = JellyFormatVariant.builder().options(options).build()
    Peers.write(file) { out =>
      held.sendTo(JellyStreamWriter.create(JenaConverterFactory.getInstance, variant, out))
    }
  }

  /** Loads a state, a Jelly-RDF file, into a dataset in memory, and applies a log in Thrift. */
  def applyLog(state: String, log: String): Long = {
    val dataset = DatasetGraphFactory.create()
    RDFParser.source(state).forceLang(JellyLanguage.JELLY).parse(dataset)
    Peers.read(log)(RDFPatchReaderBinary.read(_, new RDFChangesApply(dataset)))
    dataset.getDefaultGraph.size().toLong
  }

  private final class Counter extends RDFChangesBase {
    var added = 0L

    override def add(graph: Node, subject: Node, predicate: Node, obj: Node): Unit = added += 1
  }

  private final class Adder(changes: RDFChanges) extends StreamRDFBase {
    override def triple(triple: Triple): Unit =
      changes.add(null, triple.getSubject, triple.getPredicate, triple.getObject)

    override def quad(quad: Quad): Unit =
      changes.add(quad.getGraph, quad.getSubject, quad.getPredicate, quad.getObject)
  }
}
