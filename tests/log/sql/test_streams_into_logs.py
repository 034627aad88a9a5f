"""Streams that write logs: each micro-batch that changes something is one patch, exactly once."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions, PatchRow, StreamType
from jelly_spark.log import Log
from tests.log.patches import patch, statement
from tests.spark.patches import fails

SETTING = "spark.sql.catalog.streamed"
STATEMENT = "subject string, predicate string, object string, graph string"
CHANGES = f"op string, {STATEMENT}, log_seq bigint, seq bigint"

Rows = Iterable[tuple[Any, ...]]


class Target:
    """A log that streams write, and a folder of files that are their source."""

    def __init__(self, spark: SparkSession, folder: Path, name: str) -> None:
        self.spark = spark
        self.table = f"streamed.{name}"
        self.folder = folder
        self.source = folder / name / "source"
        self.source.mkdir(parents=True)
        self.log: Log[PatchRow] = Log(folder / "logs" / name)
        spark.sql(f"CREATE TABLE {self.table}")

    def put(self, rows: Rows, columns: str = STATEMENT) -> None:
        """Add a file with rows, which have the columns."""
        names = [column.split()[0] for column in columns.split(", ")]
        found = [dict(zip(names, row, strict=True)) for row in rows]
        number = len([*self.source.iterdir()])
        file = self.source / f"{number}.json"
        file.write_text("\n".join(map(json.dumps, found)), encoding="utf-8")
        os.utime(file, (number, number))  # by which Spark orders files

    def read(self, columns: str = STATEMENT) -> DataFrame:
        """The stream of the files, each a micro-batch."""
        reader = self.spark.readStream.schema(columns).option("maxFilesPerTrigger", 1)
        return reader.json(str(self.source))

    def run(self, stream: DataFrame, checkpoint: str = "checkpoint", **options: Any) -> None:
        """Write what is there of a stream."""
        self.write(stream, checkpoint, **options)
        assert self.log.verify() == []
        assert not [*self.log_files().glob("staging-*")]

    def write(self, stream: DataFrame, checkpoint: str, **options: Any) -> None:
        """Like `run`, while others write."""
        writer = stream.writeStream.trigger(availableNow=True).options(**options)
        writer = writer.option("checkpointLocation", str(self.checkpoint(checkpoint)))
        writer.toTable(self.table).awaitTermination()

    def checkpoint(self, name: str = "checkpoint") -> Path:
        return self.source.parent / name

    def log_files(self) -> Path:
        return self.folder / "logs" / self.table.split(".")[1] / "_log"

    def ids(self) -> list[str]:
        return [version.id for version in self.log.versions()]

    def objects(self) -> list[str]:
        """The objects of the last version, which are numbers."""
        return sorted(row[2].strip('"') for row in self.log.state_at())

    def repeat(self, batch: int) -> None:
        """Make Spark run a batch again, as if it had been killed before it noted the end."""
        (self.checkpoint() / "commits" / str(batch)).unlink(missing_ok=True)
        (self.checkpoint() / "commits" / f".{batch}.crc").unlink(missing_ok=True)

    def progress(self) -> Path:
        [found] = self.log_files().glob("streams/*.json")
        return found

    def begun(self, batch: int, next: int) -> None:
        """Note that the stream was killed while it appended the patch of a batch."""
        self.progress().write_text(
            f'{{"version": 1, "batch": {batch}, "next": {next}, "done": false}}'
        )


@pytest.fixture(scope="module")
def folder(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = tmp_path_factory.mktemp("streams")
    (found / "logs").mkdir()
    spark.conf.set(SETTING, "org.jellyspark.LogCatalog")
    spark.conf.set(f"{SETTING}.path", str(found / "logs"))
    yield found


@pytest.fixture
def target(spark: SparkSession, folder: Path, request: pytest.FixtureRequest) -> Target:
    return Target(spark, folder, request.node.name.partition("[")[0])


def test_statements(target: Target) -> None:
    target.put([statement(0), statement(1), statement(1)])
    target.run(target.read(), message="the first", **{"header.by": "<urn:me>"})
    target.put([statement(1)])
    target.put([statement(1), statement(2, "<urn:g>")])
    target.run(target.read())
    [first, second] = target.log.versions()
    assert first.message == '"the first"'
    rows = {row.name: row.value for row in target.log.read() if row.op == "H"}
    assert rows["by"] == "<urn:me>"
    stream = first.id.partition("#")[0]
    assert [first.id, second.id] == [f"{stream}#batch-{number}>" for number in (0, 2)]
    assert target.log.state_at() == {statement(0), statement(1), statement(2, "<urn:g>")}
    assert all(entry.canonical for entry in target.log._view().all())


def test_columns_by_name_without_graphs_and_with_state(target: Target) -> None:
    target.put([statement(0), statement(0), statement(1)])
    stream = target.read().dropDuplicates(["object"]).select("OBJECT", "subject", "predicate")
    target.run(stream)
    assert target.log.state_at() == {statement(0), statement(1)}


def test_changes(target: Target) -> None:
    """The last change of each statement counts, whatever other programs do meanwhile."""
    rng = random.Random(1)
    state: set[Any] = set()
    stream = target.read(CHANGES)
    for turn in range(3):
        rows = [
            (rng.choice("AD"), *statement(rng.randrange(8)), turn, seq)
            for seq in range(rng.randrange(1, 12))
        ]
        for op, *changed, _, _ in rows:
            (state.add if op == "A" else state.discard)(tuple(changed))
        target.put(rng.sample(rows, len(rows)), CHANGES)
        target.run(stream)
        assert target.log.state_at() == state
        target.log.commit(state ^ {statement(0), statement(9)})
        state ^= {statement(0), statement(9)}


def test_files_of_patches(target: Target) -> None:
    """Headers and prefixes are not taken, and aborted transactions do not count."""
    prefix = PatchRow("PA", name="x", value="<urn:x>")
    aborted = [PatchRow("TX"), PatchRow("A", *statement(7)), PatchRow("TA")]
    codec.write(target.source / "0.jellyp", [*patch(0, add=[0, 1]), prefix, *aborted])
    frames = JellyPatchOptions(stream_type=StreamType.FRAME)
    last = [*patch(1, 0, delete=[0], add=[2]), PatchRow("END")]
    codec.write(target.source / "1.jellyp", last, options=frames)
    rows = jelly_spark.read_stream(target.spark, "jelly_patch", str(target.source))
    target.run(rows.withColumn("log_seq", F.col("_metadata.file_name")))
    assert target.objects() == ["1", "2"]
    assert len(target.ids()) == 1


def test_a_replica_of_a_log(target: Target) -> None:
    spark = target.spark
    spark.sql("CREATE TABLE streamed.origin")
    origin: Log[PatchRow] = Log(target.folder / "logs" / "origin")
    for state in ({0, 1}, {1, 2}, {0, 2, 3}):
        origin.commit(map(statement, state))
    changes = spark.readStream.changes("streamed.origin")
    target.run(changes.where(F.col("object") != '"3"'))
    origin.commit({statement(3), statement(4)})
    target.run(changes.where(F.col("object") != '"3"'))
    assert (target.objects(), len(target.ids())) == (["4"], 2)


def test_a_batch_that_comes_again(target: Target) -> None:
    """Whatever the phase in which the driver was killed, and after the patch has expired."""
    stream = target.read(CHANGES)
    target.put([("A", *statement(0), 0, 0)], CHANGES)
    target.run(stream)
    target.put([("A", *statement(1), 1, 0), ("D", *statement(0), 1, 1)], CHANGES)
    # It was killed before the patch was appended.
    target.begun(1, next=1)
    target.run(stream)
    ids = target.ids()
    assert len(ids) == 2
    target.log.commit({statement(0), statement(1)})

    def again(batch: int = 1) -> None:
        target.repeat(batch)
        target.run(stream)

    again()
    assert (target.ids()[:2], target.objects()) == (ids, ["0", "1"])
    target.begun(1, next=1)
    again()
    assert (target.ids()[:2], target.objects()) == (ids, ["0", "1"])
    # It was killed before it noted the patch, and the file of the progress is an older one.
    target.begun(0, next=0)
    again()
    assert (target.ids()[:2], target.objects()) == (ids, ["0", "1"])

    target.log.commit(set())
    target.log.expire(target.ids()[-1])
    again()
    assert target.objects() == []
    target.begun(1, next=1)
    with fails("was stopped while it wrote batch 1", "the positions 1 to 2 have expired since"):
        again()
    target.begun(2, next=4)
    with fails("its checkpoint is older than the log"):
        again()
    target.progress().write_text("{")
    with fails("is damaged", "start it with a new checkpoint"):
        again()
    assert target.objects() == []


def test_a_lost_checkpoint(target: Target) -> None:
    target.put([("A", *statement(0), 0, 0)], CHANGES)
    target.put([("D", *statement(0), 1, 0), ("A", *statement(1), 1, 1)], CHANGES)
    stream = target.read(CHANGES)
    target.run(stream)
    ids = target.ids()
    with fails("it would make the same changes again", "set the option otherStreams to true"):
        target.run(stream, "another")
    assert target.ids() == ids
    # Statements are there once, so a stream of them can begin again.
    statements = stream.where("op = 'A' AND log_seq = 1").select("subject", "predicate", "object")
    target.run(statements, "a third")
    assert target.ids() == ids
    target.run(stream.where("log_seq = 1"), "another", otherStreams="true")
    assert target.ids() == ids


def test_several_streams_and_other_writers(target: Target) -> None:
    """All of them win positions in turns, and nothing is lost or doubled."""
    for number in range(3):
        target.put([statement(f"s{number}")])

    def stream(name: str) -> None:
        renamed = F.concat(F.lit(f'"{name}'), F.substring("object", 2, 99))
        target.write(target.read().withColumn("object", renamed), name)

    def insert() -> None:
        for number in range(3):
            row = f"'<urn:s>', '<urn:p>', '\"i{number}\"', NULL"
            target.spark.sql(f"INSERT INTO {target.table} VALUES ({row})")

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(stream, "a"), pool.submit(stream, "b"), pool.submit(insert)]:
            done.result()
    expected = [f"{name}{number}" for name in ("as", "bs", "i") for number in range(3)]
    assert target.objects() == expected
    assert len({*target.ids()}) == 9


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        ("subject, predicate", ["found no object"]),
        ("*, 1 AS price", ["each once, found price"]),
        ("*, 1L AS seq", ["with the column seq has the column op", "found none"]),
        ("*, 1L AS log_seq", ["with the column log_seq has the column op"]),
        ("*, 'A' AS op, 'insert' AS _change_type", ["op or _change_type, found both"]),
        ("*, 'B' AS op", ["op must be one of A, D", '"op":"B"']),
        ("*, 'TA' AS op", ["op must be one of A, D", '"op":"TA"']),
        ("*, 'made' AS _change_type", ["_change_type must be insert", "made"]),
        ("*, 'TA' AS op, 1L AS tx", ["op must be one of A, D", '"op":"TA"']),
        ("subject, predicate, object, NULL AS graph", ["found the type VOID of graph"]),
        ("subject, predicate, 1 AS object", ["found the type INT of object"]),
        ("subject, predicate, 'x' AS object", ["object must be a term", '"object":"x"']),
        (
            "subject, predicate, object, IF(graph = '<urn:g>', 'D', 'A') AS op, 1L AS seq",
            ["adds and deletes a statement", "add log_seq"],
        ),
    ],
)
def test_rows_that_are_refused(columns: str, parts: list[str], refused: Target) -> None:
    stream = refused.read().selectExpr(*split(columns))
    checkpoint = f"checkpoint {len([*refused.source.parent.iterdir()])}"
    with fails(*parts):
        refused.run(stream, checkpoint)
    assert refused.ids() == []


def split(columns: str) -> list[str]:
    """The expressions of a list, whose commas in brackets do not separate."""
    found, depth = [""], 0
    for char in columns:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    return [each.strip() for each in found]


@pytest.fixture(scope="module")
def refused(spark: SparkSession, folder: Path) -> Target:
    found = Target(spark, folder, "refused")
    found.put([statement(0), statement(0, "<urn:g>")])
    return found


def test_what_else_is_refused(refused: Target) -> None:
    writer = refused.read().groupBy(*refused.read().columns).count().drop("count").writeStream
    checkpoint = str(refused.checkpoint("complete"))
    complete = writer.outputMode("complete").option("checkpointLocation", checkpoint)
    with fails("has the output mode append, found complete"):
        complete.toTable(refused.table).awaitTermination()
    with fails("a commit has no option 'mesage'"):
        refused.run(refused.read(), "options", mesage="typo")
    rate = refused.spark.readStream.format("rate").load()
    endless = rate.selectExpr("'<urn:s>' subject", "'<urn:p>' predicate", "'\"0\"' object")
    writer = endless.writeStream.trigger(continuous="1 second")
    checkpoint = str(refused.checkpoint("continuous"))
    with fails("runs in micro-batches, found a continuous trigger"):
        query = writer.option("checkpointLocation", checkpoint).toTable(refused.table)
        query.awaitTermination(60)
    with fails("CREATE TABLE streamed.missing"):
        refused.read().writeStream.toTable("streamed.missing")
    assert refused.ids() == []
