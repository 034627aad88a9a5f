"""schema.org's log from format to format, and its releases in Jelly-RDF."""

from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import (
    JellyRdfOptions,
    LogicalType,
    PhysicalType,
    RdfRow,
    StatementType,
    read_jelly_rdf,
)
from tests.codecs import PythonCodec
from tests.real.schemaorg import Statement, as_quads, log_of
from tests.spark.patches import SCHEMA, only_file

STATEMENT = ["subject", "predicate", "object", "graph"]

QUICK = {(PhysicalType.TRIPLES, "flat"), (PhysicalType.GRAPHS, "grouped")}
"""The types of streams that differ most."""


@pytest.mark.parametrize("kind", list(StatementType), ids=lambda kind: kind.name.lower())
def test_the_log_comes_back_from_text_and_thrift(
    kind: StatementType,
    triples: dict[str, set[Statement]],
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    log = log_of(triples, kind)
    options = log.options.to_strings()
    frame = spark.createDataFrame(log.rows, SCHEMA).coalesce(1).sortWithinPartitions("seq")
    frame.write.format("jelly_patch").options(**options).save(str(tmp_path / "0"))
    formats = ["jelly_patch", "rdf_patch", "rdf_patch_thrift", "jelly_patch"]
    for step, (source, target) in enumerate(pairwise(formats)):
        rows = spark.read.format(source).load(str(tmp_path / str(step)))
        # Text can come from several tasks.
        rows = rows.coalesce(1).sortWithinPartitions("seq")
        writer = rows.write.format(target)
        if target == "jelly_patch":
            writer = writer.options(**options)
        writer.save(str(tmp_path / str(step + 1)))
    before, after = only_file(tmp_path / "0"), only_file(tmp_path / "3")
    assert before.read_bytes() == after.read_bytes()


@pytest.mark.parametrize(
    ("physical", "logical"),
    [
        pytest.param(
            physical,
            logical,
            id=f"{physical.name.lower()}-{logical}",
            marks=() if (physical, logical) in QUICK else pytest.mark.long,
        )
        for physical in PhysicalType
        for logical in ("flat", "grouped")
    ],
)
def test_releases_in_jelly_rdf(
    physical: PhysicalType,
    logical: str,
    triples: dict[str, set[Statement]],
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    """All releases in one file, a frame each, if the stream is grouped; else the last one."""
    if logical == "flat":
        triples = dict([*triples.items()][-1:])
    releases = triples if physical is PhysicalType.TRIPLES else as_quads(triples)
    logical_type = {
        ("flat", True): LogicalType.FLAT_TRIPLES,
        ("flat", False): LogicalType.FLAT_QUADS,
        ("grouped", True): LogicalType.GRAPHS,
        ("grouped", False): LogicalType.DATASETS,
    }[logical, physical is PhysicalType.TRIPLES]
    options = JellyRdfOptions(physical_type=physical, logical_type=logical_type)
    rows = [
        RdfRow(*statement, frame=frame)
        for frame, release in enumerate(releases.values())
        for statement in sorted(release, key=_by_graph)
    ]
    # As Arrow: PySpark takes many times as long for rows of Python's.
    frame = spark.createDataFrame(
        pa.table(
            {
                name: pa.array([getattr(row, name) for row in rows], pa.string())
                for name in STATEMENT
            }
            | {"frame": [row.frame for row in rows], "seq": range(len(rows))}
        )
    )
    frame.coalesce(1).sortWithinPartitions("seq").write.format("jelly_rdf").options(
        **options.to_strings()
    ).save(str(tmp_path / "spark"))
    file = only_file(tmp_path / "spark")
    assert file.read_bytes() == PythonCodec().encode(rows, options)

    found = spark.read.format("jelly_rdf").load(str(tmp_path / "spark")).toArrow().sort_by("seq")
    statements = list(zip(*(found[name].to_pylist() for name in STATEMENT), strict=True))
    assert statements == [_statement(row) for row in rows]
    from_python = list(read_jelly_rdf(file))
    assert [_statement(row) for row in from_python] == statements
    if logical == "grouped":
        assert [row.frame for row in from_python] == [row.frame for row in rows]


def _by_graph(statement: Statement) -> tuple[str, ...]:
    subject, predicate, obj, graph = statement
    return graph or "", subject, predicate, obj


def _statement(row: RdfRow) -> tuple[str | None, ...]:
    return row.subject, row.predicate, row.object, row.graph
