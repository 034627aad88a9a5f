"""Files with restart points: tasks share a file, and check what its index says."""

import gzip
from bisect import bisect_right
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jelly_spark.codec import JellyPatchOptions, JellyRdfOptions, StreamType
from jelly_spark.errors import MalformedInputError
from jelly_spark.formats import FORMATS
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.wire import sized
from tests.codec.files.restart_files import (
    all_options,
    name_of,
    points_of,
    read,
    rows_for,
    with_index,
    without_index,
    write,
)
from tests.frames import frame_places
from tests.spark.files.test_malformed import dropped_files
from tests.spark.patches import fails, only_file
from tests.spark.plans import tasks_with_rows

SPLIT = 400  # bytes

streams = pytest.mark.parametrize("options", list(all_options(200)), ids=name_of)

PATCH = JellyPatchOptions(stream_type=StreamType.FLAT, frame_size=4, restart_interval=200)
RDF = JellyRdfOptions(frame_size=4, restart_interval=200, namespaces=True)
both = pytest.mark.parametrize("options", [PATCH, RDF], ids=["patch", "rdf"])


@pytest.fixture(autouse=True)
def small_splits(spark: SparkSession) -> Iterator[None]:
    """Many tasks for one small file."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(SPLIT))
    yield
    spark.conf.unset("spark.sql.files.maxPartitionBytes")


def load(spark: SparkSession, path: Path, options: JellyOptions, **how: Any) -> DataFrame:
    """A file, or a folder, with all of its rows."""
    reader = spark.read.format(options.format).option("namespaces", True).options(**how)
    return reader.load(str(path))


def rows_of(frame: DataFrame, options: JellyOptions) -> list[Any]:
    """The rows in the order of the file."""
    row: Any = FORMATS[options.format].row
    # Sorted here: Spark would read the file twice to sort it, in as many tasks each time.
    return sorted((row(*values) for values in frame.collect()), key=lambda found: found.seq)


def ranges(data: bytes) -> list[tuple[int, int]]:
    """From where to where each range of a file goes."""
    return list(pairwise([0, *(point.offset for point in points_of(data)), len(data)]))


def frames_at(data: bytes, part: tuple[int, int]) -> list[tuple[int, bytes]]:
    """The frames of a range, and where they are."""
    begin, end = part
    places = frame_places(data[begin:end])
    return [(begin + at, data[begin + first : begin + last]) for at, first, last in places]


def before_error(data: bytes, options: JellyOptions, part: tuple[int, int]) -> list[Any]:
    """The rows of a part that come before what is malformed in it."""
    rows = []
    how = {"namespaces": True} if isinstance(options, JellyRdfOptions) else {}
    reader = FORMATS[options.format].reader
    with pytest.raises(MalformedInputError):
        for row in reader(BytesIO(data), part=part, **how):
            rows.append(row)
    return rows


@streams
def test_tasks_share_a_file(spark: SparkSession, tmp_path: Path, options: JellyOptions) -> None:
    data = write(rows_for(options), options)
    (tmp_path / "file").write_bytes(data)
    frame = load(spark, tmp_path / "file", options)
    assert frame.rdd.getNumPartitions() == -(-len(data) // SPLIT)
    assert tasks_with_rows(frame) > 2
    whole = read(data, options)
    assert rows_of(frame, options) == whole
    assert frame.count() == len(whole)
    numbers = [name for name in ("patch", "tx", "frame", "seq") if name in frame.columns]
    found = sorted(map(tuple, frame.select("seq", *numbers, "graph").collect()))
    assert found == [
        (row.seq, *(getattr(row, name) for name in numbers), row.graph) for row in whole
    ]


@streams
def test_spark_writes_restart_points(
    spark: SparkSession, tmp_path: Path, options: JellyOptions
) -> None:
    rows = rows_for(options)
    schema = ", ".join(f"{name} {kind}" for name, kind in _types(options).items())
    frame = spark.createDataFrame([tuple(row) for row in rows], schema).coalesce(1)
    if isinstance(options, JellyRdfOptions) and not options.namespaces:
        frame = frame.drop("name", "value")
    writer = frame.write.format(options.format).options(**options.to_strings())
    writer.save(str(tmp_path / "out"))
    data = only_file(tmp_path / "out").read_bytes()
    assert data == write(rows, options)
    assert len(points_of(data)) > 3


def _types(options: JellyOptions) -> dict[str, str]:
    numbers = ("patch", "tx", "frame", "seq")
    columns: Any = FORMATS[options.format].row
    return {name: "long" if name in numbers else "string" for name in columns._fields}


@both
def test_conditions_and_structs(spark: SparkSession, tmp_path: Path, options: JellyOptions) -> None:
    data = write(rows_for(options, 600), options)
    (tmp_path / "file").write_bytes(data)
    whole = read(data, options)
    frame = load(spark, tmp_path / "file", options)
    for name in ("subject", "predicate", "object", "graph"):
        texts = [getattr(row, name) for row in whole]
        for text in sorted(set(texts) - {None})[::7]:
            found = frame.where(F.col(name) == text).select("seq").collect()
            assert sorted(seq for (seq,) in found) == [
                row.seq for row in whole if getattr(row, name) == text
            ]
    structs = load(spark, tmp_path / "file", options, terms="struct")
    found = structs.where("object.lang = 'en'").select("seq").collect()
    assert found
    assert sorted(seq for (seq,) in found) == [
        row.seq for row in whole if row.object == '"text"@en'
    ]


@both
def test_folders_and_metadata(spark: SparkSession, tmp_path: Path, options: JellyOptions) -> None:
    """Each row comes from the task in whose part of the file its range begins."""
    files: dict[str, bytes] = {}
    for day in ("2026-01-01", "2026-01-02"):
        data = write(rows_for(options, 200, seed=len(files)), options)
        files[day] = data
        path = tmp_path / f"day={day}" / "file"
        path.parent.mkdir()
        path.write_bytes(data)
    frame = load(spark, tmp_path, options)
    found = frame.select(
        F.col("day").cast("string"),
        "seq",
        "_metadata.file_block_start",
        "_metadata.file_block_length",
    ).collect()
    assert sorted(tuple(row)[:2] for row in found) == [
        (day, row.seq) for day, data in files.items() for row in read(data, options)
    ]
    for day, seq, start, length in found:
        points = [RestartPoint(), *points_of(files[day])]
        point = points[bisect_right([point.rows for point in points], seq) - 1]
        assert start <= point.offset < start + length


@both
def test_reading_by_rows(spark: SparkSession, tmp_path: Path, options: JellyOptions) -> None:
    data = write(rows_for(options), options)
    (tmp_path / "file").write_bytes(data)
    spark.conf.set("spark.sql.codegen.wholeStage", "false")
    try:
        assert rows_of(load(spark, tmp_path / "file", options), options) == read(data, options)
    finally:
        spark.conf.unset("spark.sql.codegen.wholeStage")


@both
def test_compressed_and_undelimited_files_are_read_by_one_task(
    spark: SparkSession, tmp_path: Path, options: JellyOptions
) -> None:
    """Compressed, and undelimited: one task reads all."""
    data = write(rows_for(options), options)
    with gzip.open(tmp_path / "file.gz", "wb") as file:
        file.write(data)
    frame = load(spark, tmp_path / "file.gz", options)
    assert rows_of(frame, options) == read(data, options)
    assert tasks_with_rows(frame) == 1
    given: dict[str, Any] = {**vars(options), "delimited": False}
    bare = write(rows_for(options), type(options)(**given))
    (tmp_path / "file").write_bytes(bare)
    frame = load(spark, tmp_path / "file", options)
    assert frame.rdd.getNumPartitions() > 2
    assert rows_of(frame, options) == read(bare, options)
    assert tasks_with_rows(frame) == 1


@both
def test_files_without_a_valid_index_are_read_by_one_task(
    spark: SparkSession, tmp_path: Path, options: JellyOptions
) -> None:
    """None, a later version's, another file's, or one of the half of two files."""
    data = write(rows_for(options), options)
    version = len(data) - 32 - 56 * len(points_of(data))
    bare = without_index(data)
    files = {
        "none": bare,
        "version": data[:version] + b"\x02" + data[version + 1 :],
        "foreign": with_index(bare, points_of(data)) + bare,
        "no points": with_index(bare, [RestartPoint(0)]),
        "concatenated": data + data,
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        frame = load(spark, tmp_path / name, options)
        assert frame.rdd.getNumPartitions() > 2, name
        assert rows_of(frame, options) == read(content, options), name
        assert tasks_with_rows(frame) == 1, name


@both
def test_a_file_that_is_cut_off(spark: SparkSession, tmp_path: Path, options: JellyOptions) -> None:
    data = write(rows_for(options), options)
    cut = data[:-20]
    (tmp_path / "file").write_bytes(cut)
    with fails("file: frame at byte", "expected", "found"):
        load(spark, tmp_path / "file", options).collect()
    dropped = rows_of(load(spark, tmp_path / "file", options, mode="DROPMALFORMED"), options)
    assert dropped == before_error(cut, options, (0, len(cut)))


FORGERIES: dict[str, tuple[Callable[[list[RestartPoint]], list[RestartPoint]], str]] = {
    "rows": (
        lambda points: [point._replace(rows=point.rows + 1) for point in points],
        "the counts in the index",
    ),
    "patches": (
        lambda points: [*points[:-1], points[-1]._replace(patches=77)],
        "77 patches",
    ),
    "within a frame": (
        lambda points: [*points[:2], points[2]._replace(offset=points[2].offset + 1), *points[3:]],
        "where the index has a restart point",
    ),
}


@both
@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_indexes(
    spark: SparkSession, tmp_path: Path, options: JellyOptions, forgery: str
) -> None:
    """In many tasks or in one, whatever is asked of the rows, and malformed ones dropped or not."""
    data = write(rows_for(options), options)
    forge, message = FORGERIES[forgery]
    forged = with_index(without_index(data), forge(points_of(data)))
    (tmp_path / "forged").write_bytes(forged)
    frame = load(spark, tmp_path / "forged", options)
    with fails("forged: frame at byte", message):
        frame.collect()
    with fails("forged: frame at byte", message):
        frame.count()
    with fails("forged: frame at byte", message):
        frame.where("subject = '<http://absent.example/>'").collect()
    spark.conf.set("spark.sql.files.maxPartitionBytes", "128m")
    whole = load(spark, tmp_path / "forged", options)
    assert whole.rdd.getNumPartitions() <= 2
    with fails("forged: frame at byte", message):
        whole.collect()


def damaged(options: JellyOptions) -> tuple[bytes, list[tuple[int, int]]]:
    """A file that is malformed in three of its ranges, and these."""
    data = bytearray(write(rows_for(options, 300), options))
    found = ranges(bytes(data))
    bad = [found[2], found[3], found[6]]
    for part in bad:
        # The tag of the first row of a frame that is not the first.
        *_, (at, frame) = (place for place in frames_at(bytes(data), part)[1:] if place[1])
        data[at + len(sized(frame)) - len(frame)] = 0x0F
    return bytes(data), bad


@both
def test_malformed_ranges_are_dropped(
    spark: SparkSession, tmp_path: Path, options: JellyOptions
) -> None:
    """From what is malformed to the next restart point, in many tasks or in one."""
    data, bad = damaged(options)
    expected: list[Any] = []
    for part in ranges(data):
        rows = before_error(data, options, part) if part in bad else read(data, options, part=part)
        expected += rows
    (tmp_path / "file").write_bytes(data)
    with fails("file: frame at byte"):
        load(spark, tmp_path / "file", options).collect()
    for size in (SPLIT, 2000, 1 << 20):
        spark.conf.set("spark.sql.files.maxPartitionBytes", str(size))
        frame = load(spark, tmp_path / "file", options, mode="DROPMALFORMED")
        assert rows_of(frame, options) == expected


def test_each_malformed_range_counts(spark: SparkSession, tmp_path: Path) -> None:
    data, bad = damaged(PATCH)
    (tmp_path / "file").write_bytes(data)
    before = dropped_files(spark)
    load(spark, tmp_path / "file", PATCH, mode="DROPMALFORMED").collect()
    after = dropped_files(spark)
    assert [after[stage] for stage in after.keys() - before.keys()] == [len(bad)]


@both
def test_a_wrong_frame_length_fails_the_job(
    spark: SparkSession, tmp_path: Path, options: JellyOptions
) -> None:
    """Dropping goes by the lengths of frames: where they are wrong it is not known what is lost."""
    data = bytearray(write(rows_for(options), options))
    *_, (at, frame) = frames_at(bytes(data), ranges(bytes(data))[2])
    assert len(frame) % 128 < 127
    data[at] += 1
    (tmp_path / "file").write_bytes(bytes(data))
    with fails("file: frame at byte", "expected a frame whose end is known"):
        load(spark, tmp_path / "file", options, mode="DROPMALFORMED").collect()
