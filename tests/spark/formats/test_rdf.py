"""What is special to Jelly-RDF in Spark: types of streams, frames, namespaces, metadata."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark.codec import (
    JellyRdfOptions,
    JellyRdfWriter,
    LogicalType,
    PhysicalType,
    RdfRow,
    read_jelly_rdf,
)
from tests.codecs import PythonCodec
from tests.spark.patches import EX, fails, only_file

COLUMNS = ["subject", "predicate", "object", "graph", "frame", "seq"]
SCHEMA = jelly_spark.schema("jelly_rdf")


def row(frame: int, name: str, graph: str | None = None) -> RdfRow:
    return RdfRow(f"<{EX}{name}>", f"<{EX}p>", '"o"', graph, frame=frame)


def write(spark: SparkSession, folder: Path, rows: list[RdfRow], **options: str) -> Path:
    """Write rows with Spark, and return the file."""
    values = [[getattr(row, column) for column in COLUMNS] for row in rows]
    frame = spark.createDataFrame(values, SCHEMA).coalesce(1)
    frame.write.format("jelly_rdf").options(**options).save(str(folder))
    return only_file(folder)


def test_frames_are_elements_of_grouped_streams(spark: SparkSession, tmp_path: Path) -> None:
    """Also where the numbers are any, and more rows than a frame of a flat stream has."""
    rows = [row(number, str(i)) for number in (7, 3, 3000) for i in range(300)]
    options = {"physicalType": "triples", "logicalType": "subject_graphs"}
    file = write(spark, tmp_path / "out", rows, **options)
    found = spark.read.format("jelly_rdf").load(str(file)).groupBy("frame").count().collect()
    assert sorted(map(tuple, found)) == [(0, 300), (1, 300), (2, 300)]
    assert file.read_bytes() == PythonCodec().encode(rows, JellyRdfOptions.from_strings(options))


def test_frames_mean_nothing_in_flat_streams(spark: SparkSession, tmp_path: Path) -> None:
    rows = [row(number, str(number)) for number in range(3)]
    file = write(spark, tmp_path / "out", rows)
    assert {row.frame for row in read_jelly_rdf(file)} == {0}


def test_graphs_as_rows_come(spark: SparkSession, tmp_path: Path) -> None:
    graphs = [None, "<a:>", "<a:>", "_:b", None, "<a:>"]
    rows = [row(0, str(i), graph) for i, graph in enumerate(graphs)]
    file = write(spark, tmp_path / "out", rows, physicalType="GRAPHS")
    options = JellyRdfOptions(physical_type=PhysicalType.GRAPHS)
    assert file.read_bytes() == PythonCodec().encode(rows, options)
    found = spark.read.format("jelly_rdf").load(str(file)).orderBy("seq").select("graph")
    assert [graph for (graph,) in found.collect()] == graphs


def test_metadata_of_frames_is_no_column(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "file.jelly"
    options = JellyRdfOptions(logical_type=LogicalType.DATASETS)
    with JellyRdfWriter(path, options) as writer:
        for number in range(3):
            writer.write(row(number, str(number)))
            writer.end_frame({"key": b"value" * number})
    frame = spark.read.format("jelly_rdf").load(str(path))
    assert frame.columns == COLUMNS
    assert [tuple(row) for row in frame.select("frame", "seq").collect()] == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]


def test_namespaces_are_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    rows = [RdfRow(name="ex", value=f"<{EX}>", frame=0), row(0, "s")]
    path = tmp_path / "file.jelly"
    PythonCodec().write(rows, JellyRdfOptions(namespaces=True), path)
    assert spark.read.format("jelly_rdf").load(str(path)).count() == 1
    frame = spark.read.format("jelly_rdf").option("namespaces", True).load(str(path))
    assert [tuple(row) for row in frame.select("name", "value", "seq").collect()] == [
        ("ex", f"<{EX}>", 0),
        (None, None, 1),
    ]
    with fails("Jelly-RDF has no column 'name'"):
        frame.write.format("jelly_rdf").save(str(tmp_path / "out"))


def test_types_that_do_not_fit(spark: SparkSession, tmp_path: Path) -> None:
    options = {"physicalType": "TRIPLES", "logicalType": "DATASETS"}
    with fails("logicalType for physicalType TRIPLES must be one of", "not 'DATASETS'"):
        write(spark, tmp_path / "out", [row(0, "s")], **options)
    with fails(
        "a stream of triples cannot hold a graph: set physicalType to QUADS or GRAPHS; in row {"
    ):
        write(spark, tmp_path / "no", [row(0, "s", "<g:>")], physicalType="TRIPLES")


@pytest.mark.parametrize("strict", [False, True])
def test_strict(spark: SparkSession, tmp_path: Path, strict: bool) -> None:
    """What the options do not announce is read, unless reading is strict."""
    path = tmp_path / "file.jelly"
    triple = RdfRow("<s:>", "<p:>", "<<( <s:> <p:> <o:> )>>")
    data = PythonCodec().encode([triple], JellyRdfOptions())
    # The field rdf_star of the options, and the first field of theirs that comes after it.
    announced, denied = bytes.fromhex("200148"), bytes.fromhex("200048")
    assert announced in data
    path.write_bytes(data.replace(announced, denied))
    frame = spark.read.format("jelly_rdf").option("strict", strict).load(str(path))
    if strict:
        with fails(
            "expected no triple term, since the options do not announce RDF-star, found a "
            "triple term"
        ):
            frame.collect()
    else:
        assert frame.count() == 1
