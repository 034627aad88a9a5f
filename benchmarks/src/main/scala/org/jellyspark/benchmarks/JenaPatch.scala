package org.jellyspark.benchmarks

import java.io.{BufferedInputStream, BufferedOutputStream, FileInputStream, FileOutputStream}
import java.io.{InputStream, OutputStream}

import scala.util.Using

import org.apache.jena.graph.{Node, Triple}
import org.apache.jena.rdfpatch.RDFChanges
import org.apache.jena.rdfpatch.binary.{RDFChangesWriterBinary, RDFPatchReaderBinary}
import org.apache.jena.rdfpatch.changes.RDFChangesBase
import org.apache.jena.rdfpatch.text.{RDFChangesWriterText, RDFPatchReaderText}
import org.apache.jena.riot.system.StreamRDFBase
import org.apache.jena.sparql.core.Quad

/** Jena's reader and writer of a form of RDF Patch. */
sealed abstract class JenaPatch {
  protected def read(in: InputStream, changes: RDFChanges): Unit
  protected def write(out: OutputStream, changes: RDFChanges => Unit): Unit

  /** Reads a patch, and returns how many statements it adds. */
  def read(file: String): Long = {
    val counter = new JenaPatch.Counter
    Using.resource(new BufferedInputStream(new FileInputStream(file), Peers.BufferSize)) {
      read(_, counter)
    }
    counter.added
  }

  /** Writes a patch that adds the statements, and returns how many they are. */
  def write(held: HeldStatements, file: String): Long =
    Using.resource(new BufferedOutputStream(new FileOutputStream(file), Peers.BufferSize)) { out =>
      var written = 0L
      write(out, changes => written = held.sendTo(new JenaPatch.Adder(changes)))
      written
    }
}

object JenaPatch {
  def named(form: String): JenaPatch = form match {
    case "text"   => Text
    case "thrift" => Thrift
  }

  private object Text extends JenaPatch {
    override protected def read(in: InputStream, changes: RDFChanges): Unit =
      new RDFPatchReaderText(in).apply(changes)

    override protected def write(out: OutputStream, changes: RDFChanges => Unit): Unit = {
      val writer = RDFChangesWriterText.create(out)
      changes(writer)
      writer.finish()
    }
  }

  private object Thrift extends JenaPatch {
    override protected def read(in: InputStream, changes: RDFChanges): Unit =
      RDFPatchReaderBinary.read(in, changes)

    override protected def write(out: OutputStream, changes: RDFChanges => Unit): Unit =
      RDFChangesWriterBinary.writeBinary(out, changes(_))
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
