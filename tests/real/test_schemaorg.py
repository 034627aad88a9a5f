"""The releases of the schema.org vocabulary as a log, a patch each, and back from it."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import jelly_spark
from examples.demo.queries import replay, summarize
from jelly_spark.codec import PatchRow, StatementType, read_jelly_patch
from tests.codecs import PythonCodec
from tests.real.schemaorg import Log, Statement, log_of


@dataclass(frozen=True)
class Files:
    """The folder that Spark wrote, its only file, and the file that Python wrote."""

    folder: Path
    spark: Path
    python: Path


@pytest.fixture(scope="module", params=list(StatementType), ids=lambda kind: kind.name.lower())
def log(request: pytest.FixtureRequest, triples: dict[str, set[Statement]]) -> Log:
    return log_of(triples, request.param)


@pytest.fixture(scope="module")
def files(log: Log, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("schemaorg")
    rows = (
        spark.createDataFrame(log.rows, jelly_spark.schema("jelly_patch"))
        .coalesce(1)
        .sortWithinPartitions("seq")
    )
    writer = rows.write.format("jelly_patch").options(**log.options.to_strings())
    writer.save(str(folder / "spark"))
    (file,) = (folder / "spark").glob("*.jellyp")
    PythonCodec().write(log.rows, log.options, folder / "python.jellyp")
    return Files(folder / "spark", file, folder / "python.jellyp")


def test_the_log_is_as_long_as_the_data(log: Log) -> None:
    assert len(log.releases) == 23
    assert list(log.releases)[:4] == ["9.0", "10.0", "11.0", "11.01"]
    assert sum(row.op in ("A", "D") for row in log.rows) > 20_000


def test_spark_and_python_write_the_same_bytes(files: Files) -> None:
    assert files.spark.read_bytes() == files.python.read_bytes()


def test_python_reads_the_rows_and_each_release(log: Log, files: Files) -> None:
    rows = list(read_jelly_patch(files.spark, strict=True))
    assert rows == log.rows
    releases = iter(log.releases.items())
    state: set[Statement] = set()
    for row in rows:
        if row.op in ("A", "D"):
            assert row.subject and row.predicate and row.object
            change = state.add if row.op == "A" else state.remove
            change((row.subject, row.predicate, row.object, row.graph))
        elif row.op == "END":
            name, release = next(releases)
            assert state == release, name
    assert next(releases, None) is None


def test_spark_reads_the_rows(log: Log, files: Files, spark: SparkSession) -> None:
    found = spark.read.format("jelly_patch").option("strict", True).load(str(files.folder))
    assert [PatchRow(*row) for row in found.orderBy("seq").collect()] == log.rows


def test_spark_replays_each_release(log: Log, files: Files, spark: SparkSession) -> None:
    # One file makes one partition, so that nothing need be moved between tasks.
    found = spark.read.format("jelly_patch").load(str(files.folder)).coalesce(1).cache()
    for patch, (name, release) in enumerate(log.releases.items()):
        columns = replay(found.where(F.col("patch") <= patch)).toArrow().to_pydict().values()
        state = list(zip(*columns, strict=True))
        assert len(state) == len(release), name
        assert set(state) == release, name
    found.unpersist()


def test_spark_summarizes_each_patch(log: Log, files: Files, spark: SparkSession) -> None:
    found = summarize(spark.read.format("jelly_patch").load(str(files.folder)))
    before: set[Statement] = set()
    rows = found.orderBy("patch").collect()
    assert len(rows) == len(log.releases)
    for row, (name, release) in zip(rows, log.releases.items(), strict=True):
        expected = (len(before - release), len(release - before), 1, 0)
        assert (row["deletes"], row["adds"], row["commits"], row["aborts"]) == expected, name
        before = release
    assert rows[0]["prev"] is None
    assert [row["prev"] for row in rows[1:]] == [row["id"] for row in rows[:-1]]
