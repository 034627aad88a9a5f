"""A file changes after a query was planned: an error, or its old rows; no mixture, and no fewer."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession

from jelly_spark.codec import JellyPatchOptions, JellyRdfOptions, PatchRow, RdfRow
from jelly_spark.formats import FORMATS
from tests.codecs import PythonCodec
from tests.spark.patches import fails

CHANGED = "changed after it was listed for this query"
ROWS = 3_000
SPLIT = 20_000  # bytes: several for each file that can be split
OPTIONS: dict[str, Any] = {
    "jelly_patch": JellyPatchOptions(restart_interval=10_000),
    "jelly_rdf": JellyRdfOptions(restart_interval=10_000),
}

QUICK = ("jelly_patch", "rdf_patch")
"""Formats of each kind of reader: of batches, and of rows."""

formats = pytest.mark.parametrize(
    "format",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in FORMATS],
)


@pytest.fixture(autouse=True)
def small_splits(spark: SparkSession) -> Iterator[None]:
    """Many tasks for a file."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(SPLIT))
    yield
    spark.conf.unset("spark.sql.files.maxPartitionBytes")


def objects(word: str, size: int = ROWS) -> list[str]:
    return [f'"{word} {number:06}"' for number in range(size)]


def content(format: str, word: str, size: int = ROWS) -> bytes:
    """A file whose objects have a word; files of words of the same length have the same length."""
    rows = [
        RdfRow("<urn:s>", f"<urn:p:{number % 7}>", text)
        if FORMATS[format].row is RdfRow
        else PatchRow("A", "<urn:s>", f"<urn:p:{number % 7}>", text)
        for number, text in enumerate(objects(word, size))
    ]
    return PythonCodec().encode(rows, OPTIONS.get(format) or FORMATS[format].options())


def load(spark: SparkSession, path: Path, format: str) -> DataFrame:
    frame = spark.read.format(format).load(str(path))
    return frame.where("object IS NOT NULL").select("object")


def put(path: Path, data: bytes) -> None:
    """Replace a file by another one of the same name."""
    other = path.with_name(".other")
    other.write_bytes(data)
    # Whatever the clock's resolution is.
    os.utime(other, (1_000_000_000, 1_000_000_000))
    other.replace(path)


def overwrite(path: Path, data: bytes) -> None:
    """Write into the file itself, as who has it open sees."""
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
    os.utime(path, (1_000_000_000, 1_000_000_000))


CHANGES: dict[str, Callable[[str], bytes]] = {
    "other rows of the same length": lambda format: content(format, "new"),
    "fewer rows": lambda format: content(format, "new", ROWS // 2),
    "more rows": lambda format: content(format, "new", 2 * ROWS),
    "no bytes": lambda _: b"",
    "cut off": lambda format: content(format, "old")[: len(content(format, "old")) // 2],
    "the same and more": lambda format: content(format, "old") + content(format, "new"),
}


@formats
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("how", [put, overwrite])
def test_between_planning_and_reading(
    spark: SparkSession, tmp_path: Path, format: str, change: str, how: Callable[..., None]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content(format, "old"))
    frame = load(spark, path, format)
    how(path, CHANGES[change](format))
    with fails("file " + CHANGED, "bytes of", "REFRESH TABLE"):
        frame.collect()
    with fails("file " + CHANGED):
        frame.where("object = '\"old 000001\"'").count()
    # A new query is of the new file.
    if change in ("other rows of the same length", "fewer rows", "more rows"):
        found = {row.object for row in load(spark, path, format).collect()}
        assert found and not found & set(objects("old"))


@formats
@pytest.mark.parametrize("how", [put, overwrite])
def test_between_two_tasks(
    spark: SparkSession, tmp_path: Path, format: str, how: Callable[..., None]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content(format, "old"))
    frame = load(spark, path, format)
    # Each partition is a job of its own, which runs when its first row is asked for.
    rows = frame.toLocalIterator()
    found = [row.object for row in islice(rows, 1)]
    tasks = frame.rdd.getNumPartitions()
    assert (tasks > 2) == (format != "rdf_patch_thrift")
    how(path, content(format, "new"))
    if tasks > 1:
        with fails("file " + CHANGED):
            found.extend(row.object for row in rows)
    else:
        found.extend(row.object for row in rows)
        assert found == objects("old")
    assert set(found) <= set(objects("old"))


@formats
def test_while_a_task_reads(spark: SparkSession, tmp_path: Path, format: str) -> None:
    """Overwritten when its first rows have been read, and most of the others perhaps not."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", "128m")
    path = tmp_path / "file"
    size = 100_000
    path.write_bytes(content(format, "old", size))
    other = content(format, "new", size)

    def change(rows: Iterable[Any]) -> Iterator[str]:
        for number, row in enumerate(rows):
            if number == 0:
                overwrite(path, other)
            yield row.object

    frame = load(spark, path, format).coalesce(1)
    try:
        found = frame.rdd.mapPartitions(change).collect()
    except Py4JJavaError as error:
        assert "file " + CHANGED in str(error)
    else:
        assert found == objects("old", size)
