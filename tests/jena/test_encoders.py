"""Jena's objects in a session that has both jars and Jena, as users put them there."""

import os
from pathlib import Path

import pyspark
import pytest

from tests.shared import JENA_CLASSPATH, JENA_JAR
from tests.spark.programs import run

PROGRAM = """
import jelly_spark
spark = jelly_spark.configure(builder().config("spark.jars", sys.argv[1])).getOrCreate()
session, jvm = spark._jsparkSession, spark._jvm
jena = jvm.org.jellyspark.jena
nodes = jvm.org.apache.jena.graph.NodeFactory

def listed(*items):
    items_list = jvm.java.util.ArrayList()
    for item in items:
        items_list.add(item)
    return items_list

def triple(number):
    text = nodes.createLiteralLang(str(number), "en")
    return jvm.org.apache.jena.graph.Triple.create(
        nodes.createBlankNode("b"), nodes.createURI("urn:p"), text
    )

directed = nodes.createLiteralDirLang("x", "ar", "rtl")
literals = session.createDataset(listed(directed), jena.JenaEncoders.nodeEncoder())
print(literals.repartition(2).collectAsList().get(0).equals(directed))

graph = jvm.org.apache.jena.sparql.graph.GraphFactory.createDefaultGraph()
for number in range(100):
    graph.add(triple(number))
graphs = session.createDataset(listed(graph, graph), jena.JenaEncoders.graphEncoder())
back = graphs.repartition(2).collectAsList()
print(back.size(), back.get(0).size(), back.get(0).contains(triple(7)))

collector = jvm.org.apache.jena.rdfpatch.changes.RDFChangesCollector()
collector.txnBegin()
collector.add(None, nodes.createURI("urn:s"), nodes.createURI("urn:p"), nodes.createURI("urn:o"))
collector.txnCommit()
patch = collector.getRDFPatch()
patches = session.createDataset(listed(patch), jena.PatchEncoders.patchEncoder())
print(patches.repartition(2).collectAsList().get(0).equals(patch))

quad = jvm.org.apache.jena.sparql.core.Quad.create(nodes.createURI("urn:g"), triple(1))
quads = session.createDataset(listed(quad), jena.JenaEncoders.quadEncoder())
quads.write().parquet(sys.argv[2] + "/quads")
read = session.read().parquet(sys.argv[2] + "/quads")
print(getattr(read, "as")(jena.JenaEncoders.quadEncoder()).collectAsList().get(0).equals(quad))

statements = [("_:b", "<urn:p>", '"1"@en', "<urn:g>")]
rows = spark.createDataFrame(statements, ["subject", "predicate", "object", "graph"])
rows.write.format("jelly_rdf").option("engine", "jelly-jvm").save(sys.argv[2] + "/jelly")
print(jena.JellySpark.quads(session, sys.argv[2] + "/jelly").collectAsList().get(0).equals(quad))
"""


SPARK = tuple(map(int, pyspark.__version__.split(".")[:2]))

PRINTED = ["True", "2 100 True", "True", "True", "True"]


def test_objects_come_back(tmp_path: Path) -> None:
    for file in (JENA_JAR, JENA_CLASSPATH):
        if not file.is_file():
            pytest.skip(f"no {file}: run `make jena-jar` and `make test`")
    jena = JENA_CLASSPATH.read_text("utf-8").split(os.pathsep)
    jars = ",".join([str(JENA_JAR), *jena])
    assert run(PROGRAM, jars, tmp_path) == PRINTED


@pytest.mark.skipif(SPARK < (4, 2), reason="older versions of Spark do not start on Java 25")
def test_objects_of_jena_6_come_back(newer_java: Path, jena_6: list[str], tmp_path: Path) -> None:
    # Spark has its own slf4j.
    jena = [jar for jar in jena_6 if not Path(jar).name.startswith("slf4j")]
    jars = ",".join([str(JENA_JAR), *jena])
    assert run(PROGRAM, jars, tmp_path, JAVA_HOME=str(newer_java.parents[1])) == PRINTED
