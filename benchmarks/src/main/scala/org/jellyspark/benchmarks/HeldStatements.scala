package org.jellyspark.benchmarks

import scala.collection.mutable.ArrayBuffer

import eu.neverblink.jelly.convert.jena.riot.JellyLanguage
import org.apache.jena.graph.Triple
import org.apache.jena.riot.RDFParser
import org.apache.jena.riot.system.{StreamRDF, StreamRDFBase}
import org.apache.jena.sparql.core.Quad

/** The statements of one file as Jena's nodes in memory, triples or quads: what writers write. */
final class HeldStatements {
  private var statements: Array[AnyRef] = Array.empty

  /** Holds the statements of a Jelly-RDF file, those only, and returns how many they are. */
  def load(file: String): Long = {
    release()
    val loaded = ArrayBuffer.empty[AnyRef]
    val sink = new StreamRDFBase {
      override def triple(triple: Triple): Unit = loaded += triple
      override def quad(quad: Quad): Unit = loaded += quad
    }
    RDFParser.source(file).forceLang(JellyLanguage.JELLY).parse(sink)
    statements = loaded.toArray
    statements.length.toLong
  }

  def release(): Long = {
    statements = Array.empty
    0
  }

  def areTriples: Boolean = statements.headOption.forall(_.isInstanceOf[Triple])

  /** Sends all to a writer, and returns how many they are. */
  def sendTo(writer: StreamRDF): Long = {
    writer.start()
    statements.foreach {
      case triple: Triple => writer.triple(triple)
      case other          => writer.quad(other.asInstanceOf[Quad])
    }
    writer.finish()
    statements.length.toLong
  }
}
