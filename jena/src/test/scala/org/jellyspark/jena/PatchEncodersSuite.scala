package org.jellyspark.jena

import org.apache.jena.graph.NodeFactory
import org.apache.jena.query.TxnType
import org.apache.jena.rdfpatch.{RDFPatch, RDFPatchOps}
import org.apache.jena.rdfpatch.changes.RDFChangesCollector
import org.apache.jena.sparql.core.{DatasetGraphFactory, Quad}

import org.jellyspark.jena.JenaSamples._
import org.jellyspark.jena.PatchEncoders._

class PatchEncodersSuite extends SparkSuite {
  private def patch(use: RDFChangesCollector => Unit): RDFPatch =
    RDFPatchOps.build(collector => use(collector))

  private val patches = Seq(
    patch(_ => ()),
    patch { changes =>
      changes.header("id", NodeFactory.createURI("urn:uuid:1"))
      changes.header("prev", NodeFactory.createURI("urn:uuid:0"))
      changes.txnBegin()
      changes.addPrefix(null, "ex", "https://example.org/")
      changes.deletePrefix(iri("graph"), "old")
      triples.foreach(t => changes.add(null, t.getSubject, t.getPredicate, t.getObject))
      quads.filterNot(_.isDefaultGraph).foreach { q =>
        changes.delete(q.getGraph, q.getSubject, q.getPredicate, q.getObject)
      }
      changes.txnCommit()
      changes.segment()
      changes.txnBegin()
      changes.txnAbort()
    },
    patch { changes =>
      many(5000).foreach(t => changes.add(iri("g"), t.getSubject, t.getPredicate, t.getObject))
    }
  )

  test("patches come back equal") {
    val shuffled = spark.createDataset(patches).repartition(3)
    val path = folder.resolve("patches").toString
    shuffled.write.parquet(path)
    assert(shuffled.collect().toSet == patches.toSet)
    assert(spark.read.parquet(path).as[RDFPatch].collect().toSet == patches.toSet)
  }

  test("a recorded change of the default graph is one of the default graph") {
    val collector = new RDFChangesCollector
    val quad = Quad.create(Quad.defaultGraphIRI, triples.head)
    val recorded = RDFPatchOps.changes(DatasetGraphFactory.createTxnMem(), collector)
    recorded.begin(TxnType.WRITE)
    recorded.add(quad)
    recorded.commit()
    val found = spark.createDataset(Seq(collector.getRDFPatch)).repartition(2).head()
    assert(RDFPatchOps.str(found) == RDFPatchOps.str(collector.getRDFPatch))
    val applied = DatasetGraphFactory.createTxnMem()
    RDFPatchOps.applyChange(applied, found)
    assert(applied.getDefaultGraph.contains(triples.head))
  }
}
