"""The releases of the schema.org vocabulary as a log, a patch each, and back from it."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from jelly_spark.codec import PatchOptions, PatchRow, StatementType, read_patch
from jelly_spark.codec.rows import RowNumbering
from jelly_spark.codec.terms import QuotedTriple, format_term, parse_term
from jelly_spark.demo.queries import SCHEMA, replay, summarize
from tests.parity.codecs import PythonCodec

Statement = tuple[str, str, str, str | None]

COMMENTS = "<urn:x-schemaorg:comments>"
"""Of the quads, the graph of those that describe a term to people; the others are in the default
graph."""


@dataclass(frozen=True)
class Log:
    """The releases, oldest first, and the patches that lead from each to the next."""

    options: PatchOptions
    releases: dict[str, set[Statement]]
    rows: list[PatchRow]


@dataclass(frozen=True)
class Files:
    """The folder that Spark wrote, its only file, and the file that Python wrote."""

    folder: Path
    spark: Path
    python: Path


@pytest.fixture(scope="module")
def triples(shared: Path) -> dict[str, set[Statement]]:
    files = sorted((shared / "data/schemaorg").glob("*.nt.gz"), key=version)
    if not files:
        pytest.skip("no releases of schema.org in the shared data")
    return {file.name.removesuffix(".nt.gz"): read_triples(file) for file in files}


def version(file: Path) -> tuple[int, ...]:
    return tuple(int(number) for number in file.name.removesuffix(".nt.gz").split("."))


def read_triples(file: Path) -> set[Statement]:
    triples: set[Statement] = set()
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            text = line.rstrip()
            if text:
                triple = parse_term(f"<< {text.removesuffix('.')} >>")
                assert isinstance(triple, QuotedTriple)
                subject, predicate, obj = triple.subject, triple.predicate, triple.object
                triples.add((format_term(subject), format_term(predicate), format_term(obj), None))
    return triples


@pytest.fixture(scope="module", params=list(StatementType), ids=lambda kind: kind.name.lower())
def log(request: pytest.FixtureRequest, triples: dict[str, set[Statement]]) -> Log:
    options = PatchOptions(statement_type=request.param)
    releases = triples
    if options.statement_type is StatementType.QUADS:
        releases = {name: {as_quad(triple) for triple in triples[name]} for name in triples}
    return Log(options, releases, list(numbered(patches(releases))))


def as_quad(triple: Statement) -> Statement:
    subject, predicate, obj, _ = triple
    return subject, predicate, obj, COMMENTS if predicate.endswith("#comment>") else None


def patches(releases: dict[str, set[Statement]]) -> Iterator[PatchRow]:
    before: set[Statement] = set()
    previous = None
    for name, after in releases.items():
        own = f"<{uuid5(NAMESPACE_URL, f'https://schema.org/version/{name}').urn}>"
        yield PatchRow("H", name="id", value=own)
        if previous is not None:
            yield PatchRow("H", name="prev", value=previous)
        yield PatchRow("TX")
        for statement in sorted(before - after, key=by_terms):
            yield PatchRow("D", *statement)
        for statement in sorted(after - before, key=by_terms):
            yield PatchRow("A", *statement)
        yield PatchRow("TC")
        yield PatchRow("END")
        before, previous = after, own


def by_terms(statement: Statement) -> tuple[str, str, str]:
    return statement[:3]


def numbered(rows: Iterator[PatchRow]) -> Iterator[PatchRow]:
    number = RowNumbering().number
    for row in rows:
        patch, tx, seq = number(row.op)
        yield row._replace(patch=patch, tx=tx, seq=seq)


@pytest.fixture(scope="module")
def files(log: Log, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("schemaorg")
    rows = spark.createDataFrame(log.rows, SCHEMA).coalesce(1).sortWithinPartitions("seq")
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
    rows = list(read_patch(files.spark, strict=True))
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
        state = [tuple(row) for row in replay(found.where(F.col("patch") <= patch)).collect()]
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
