"""Files as a stream: new ones are read as they come, and written to a sink."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.rows import AnyRow
from jelly_spark.errors import OptionError
from jelly_spark.formats import FORMATS
from tests.spark.patches import (
    EX,
    FORMAT,
    adds,
    data_files,
    encoded,
    fails,
    only_file,
    read,
    rows_of,
    write_file,
)

TIMEOUT = 120
"""Seconds that a stream may take for all that is there."""

SIZES = [1, 2, 4, 8, 16]
"""Rows of the files in `files`: the rows of a batch tell which files are in it."""

READERS = ["jelly_patch", "rdf_patch"]
"""A format that is read as columns, and one that is read as rows."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The folder that is read as a stream."""
    folder = tmp_path / "in"
    folder.mkdir()
    return folder


def put(folder: Path, format: str, count: int, first: int = 0) -> Path:
    """Add a file of so many rows to a folder, younger than all others, and return its path."""
    number = max((int(path.stem) for path in folder.iterdir()), default=-1) + 1
    path = folder / f"{number}{FORMATS[format].extension}"
    rows: list[AnyRow] = [
        RdfRow(f"<{EX}s{first + i}>", f"<{EX}p>", f'"{first + i}"')
        if FORMATS[format].row is RdfRow
        else PatchRow("A", f"<{EX}s{first + i}>", f"<{EX}p>", f'"{first + i}"')
        for i in range(count)
    ]
    codec.write(path, rows)
    os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return path


def files(folder: Path, format: str) -> list[Path]:
    """Make files with so many rows as `SIZES` says, the first one the oldest."""
    return [put(folder, format, size) for size in SIZES]


def batches(stream: DataFrame, checkpoint: Path) -> list[int]:
    """Read all that is there and was not read yet; return the number of rows of each batch."""
    writer = stream.writeStream.format("noop").option("checkpointLocation", str(checkpoint))
    query = writer.trigger(availableNow=True).start()
    assert query.awaitTermination(TIMEOUT)
    return [progress["numInputRows"] for progress in query.recentProgress]


def copy(stream: DataFrame, folder: Path, format: str = FORMAT, **options: Any) -> None:
    """Write all that is there and was not written yet to `log` in a folder."""
    partitions = options.pop("partitionBy", [])
    query = (
        stream.coalesce(1)
        .writeStream.format(format)
        .partitionBy(*partitions)
        .options(**options)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(folder / "log"))
    )
    assert query.awaitTermination(TIMEOUT)


def test_source_and_sink(spark: SparkSession, source: Path, tmp_path: Path) -> None:
    first, second = adds(5), adds(3, first=5)
    stream = jelly_spark.read_stream(spark, FORMAT, source)
    write_file(source / "1.jellyp", first)
    copy(stream, tmp_path)
    assert only_file(tmp_path / "log").read_bytes() == encoded(first)

    write_file(source / "2.jellyp", second)
    copy(stream, tmp_path)
    found = rows_of(read(spark, tmp_path / "log").orderBy("subject"))
    assert [row.subject for row in found] == [row.subject for row in first + second]


@pytest.mark.parametrize(
    ("format", "options"),
    [
        *((format, {}) for format in FORMATS),
        ("jelly_patch", {"terms": "STRUCT"}),
        ("jelly_rdf", {"namespaces": True}),
        ("rdf_patch", {"mode": "permissive", "columnNameOfCorruptRecord": "text"}),
    ],
)
def test_the_schema_is_that_of_a_read(
    spark: SparkSession, source: Path, format: str, options: dict[str, Any]
) -> None:
    stream = jelly_spark.read_stream(spark, format, source, **options)
    assert stream.isStreaming
    assert stream.schema == spark.read.format(format).options(**options).load(str(source)).schema


def test_names_of_options_in_snake_case(spark: SparkSession, source: Path, tmp_path: Path) -> None:
    files(source, FORMAT)
    stream = jelly_spark.read_stream(spark, FORMAT, source, max_files_per_trigger=2)
    assert batches(stream, tmp_path / "checkpoint") == [1 + 2, 4 + 8, 16]


@pytest.mark.parametrize(
    ("format", "options", "says"),
    [
        ("jelly_path", {}, "format must be one of: jelly_patch, "),
        ("jelly_patch", {"terms": "text"}, "terms must be one of: string, struct; not 'text'"),
        ("jelly_rdf", {"namespaces": "no"}, "namespaces must be one of: true, false; not 'no'"),
    ],
)
def test_wrong_arguments(
    spark: SparkSession, source: Path, format: str, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(OptionError, match=says):
        jelly_spark.read_stream(spark, format, source, **options)


def test_a_folder_that_does_not_exist(spark: SparkSession, tmp_path: Path) -> None:
    with fails("PATH_NOT_FOUND", "missing"):
        jelly_spark.read_stream(spark, FORMAT, tmp_path / "missing")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_row_sizes": 10}, "did you mean maxRowSize?"),
        ({"mode": "permissive"}, "mode must be one of: FAILFAST, DROPMALFORMED"),
        ({"maxFilesPerTrigger": 1, "maxBytesPerTrigger": 1}, "can't be both set"),
    ],
)
def test_options_that_the_query_checks(
    spark: SparkSession, source: Path, tmp_path: Path, options: dict[str, Any], says: str
) -> None:
    put(source, FORMAT, 1)
    with fails(says):
        batches(jelly_spark.read_stream(spark, FORMAT, source, **options), tmp_path / "checkpoint")


@pytest.mark.parametrize("format", READERS)
def test_max_files_per_trigger(
    spark: SparkSession, source: Path, tmp_path: Path, format: str
) -> None:
    files(source, format)
    stream = jelly_spark.read_stream(spark, format, source, maxFilesPerTrigger=2)
    assert batches(stream, tmp_path / "checkpoint") == [1 + 2, 4 + 8, 16]


def test_max_bytes_per_trigger(spark: SparkSession, source: Path, tmp_path: Path) -> None:
    paths = files(source, FORMAT)
    limit = sum(path.stat().st_size for path in paths[:3])
    stream = jelly_spark.read_stream(spark, FORMAT, source, maxBytesPerTrigger=limit)
    assert batches(stream, tmp_path / "checkpoint") == [1 + 2 + 4, 8, 16]


def test_latest_first(spark: SparkSession, source: Path, tmp_path: Path) -> None:
    files(source, FORMAT)
    stream = jelly_spark.read_stream(spark, FORMAT, source, maxFilesPerTrigger=1, latestFirst=True)
    assert batches(stream, tmp_path / "checkpoint") == SIZES[::-1]


@pytest.mark.parametrize("format", READERS)
def test_files_that_were_read_are_archived(
    spark: SparkSession, source: Path, tmp_path: Path, format: str
) -> None:
    paths, archive = files(source, format), tmp_path / "archive"
    texts = [path.read_bytes() for path in paths]
    stream = jelly_spark.read_stream(
        spark,
        format,
        source,
        maxFilesPerTrigger=2,
        cleanSource="archive",
        sourceArchiveDir=str(archive),
    )
    assert sum(batches(stream, tmp_path / "checkpoint")) == sum(SIZES)
    # Spark looks after the files of a batch when it is done with the next one.
    assert data_files(source) == paths[4:]
    archived = data_files(archive)
    assert [path.read_bytes() for path in archived] == texts[:4]
    found = spark.read.format(format).load([str(path) for path in archived])
    assert found.count() == sum(SIZES[:4])


def test_files_that_were_read_are_deleted(
    spark: SparkSession, source: Path, tmp_path: Path
) -> None:
    paths = files(source, FORMAT)
    stream = jelly_spark.read_stream(
        spark, FORMAT, source, maxFilesPerTrigger=2, cleanSource="delete"
    )
    assert sum(batches(stream, tmp_path / "checkpoint")) == sum(SIZES)
    assert data_files(source) == paths[4:]
    put(source, FORMAT, 32)
    assert batches(stream, tmp_path / "checkpoint") == [32]


def test_available_now_leaves_what_comes_later(
    spark: SparkSession, source: Path, tmp_path: Path
) -> None:
    files(source, FORMAT)
    seen: list[int] = []

    def count(batch: DataFrame, number: int) -> None:
        put(source, FORMAT, 32)
        seen.append(batch.count())

    def run() -> None:
        stream = jelly_spark.read_stream(spark, FORMAT, source, maxFilesPerTrigger=3)
        writer = stream.writeStream.foreachBatch(count)
        writer = writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
        assert writer.trigger(availableNow=True).start().awaitTermination(TIMEOUT)

    run()
    assert seen == [1 + 2 + 4, 8 + 16]
    run()
    assert seen[2:] == [32 + 32]


def test_partitions_of_the_source(spark: SparkSession, source: Path, tmp_path: Path) -> None:
    write_file(source / "day=2026-11-01/1.jellyp", adds(2))
    stream = jelly_spark.read_stream(spark, FORMAT, source)
    assert stream.columns == [*PatchRow._fields, "day"]
    counted = tmp_path / "counted"
    for days in (["2026-11-01"], ["2026-11-02"]):
        write_file(source / f"day={days[-1]}/1.jellyp", adds(2))
        query = (
            stream.selectExpr("string(day)")
            .writeStream.format("json")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start(str(counted))
        )
        assert query.awaitTermination(TIMEOUT)
    found = spark.read.json(str(counted)).groupBy("day").count().orderBy("day").collect()
    assert [tuple(row) for row in found] == [("2026-11-01", 2), ("2026-11-02", 2)]


@pytest.fixture
def side_by_side(spark: SparkSession) -> Iterator[None]:
    """Writes partitions side by side, so that Spark does not sort the rows by them."""
    spark.conf.set("spark.sql.maxConcurrentOutputFileWriters", 7)
    yield
    spark.conf.unset("spark.sql.maxConcurrentOutputFileWriters")


@pytest.mark.usefixtures("side_by_side")
@pytest.mark.parametrize("format", READERS)
def test_partitions_of_the_sink(
    spark: SparkSession, source: Path, tmp_path: Path, format: str
) -> None:
    """Each file has the rows of its partition, in the order of the source."""
    rows = adds(300)
    codec.write(source / f"0{FORMATS[format].extension}", rows)
    stream = jelly_spark.read_stream(spark, format, source)
    stream = stream.selectExpr("*", "string(seq % 7) AS part")
    copy(stream, tmp_path, format, partitionBy=["part"])
    written = data_files(tmp_path / "log")
    assert [path.parent.name for path in written] == [f"part={part}" for part in range(7)]
    for part, path in enumerate(written):
        rows_of_file: Iterator[Any] = codec.read(path)
        assert [row.object for row in rows_of_file if row.op == "A"] == [
            row.object for row in rows[part::7]
        ]
    found = spark.read.format(format).load(str(tmp_path / "log"))
    assert found.where("op = 'A' AND part = 3").count() == len(rows[3::7])


@pytest.fixture
def damaged(source: Path) -> Iterator[Path]:
    """A file of which the last byte is missing, between two others."""
    first, second, third = (put(source, FORMAT, size) for size in (1, 2, 4))
    second.write_bytes(second.read_bytes()[:-1])
    os.utime(second, (1_700_000_001, 1_700_000_001))
    yield second
    assert first.exists() and third.exists()


def test_a_stream_goes_on_behind_a_malformed_file(
    spark: SparkSession, source: Path, tmp_path: Path, damaged: Path
) -> None:
    """The query stops at the file, and goes on where it is told to drop what is malformed."""
    checkpoint = tmp_path / "checkpoint"
    stream = jelly_spark.read_stream(spark, FORMAT, source, maxFilesPerTrigger=1)
    with pytest.raises(PySparkException, match=f"{damaged.name}: "):
        batches(stream, checkpoint)
    stream = jelly_spark.read_stream(
        spark, FORMAT, source, maxFilesPerTrigger=1, mode="DROPMALFORMED"
    )
    read_now = batches(stream, checkpoint)
    assert read_now[-1] == 4
    assert len(read_now) == 2
