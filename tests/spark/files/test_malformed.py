"""How the options of a read treat malformed files among good ones."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from jelly_spark.codec import JellyPatchOptions, PatchRow
from jelly_spark.errors import MalformedInputError
from tests import bridge
from tests.spark.patches import SCHEMA, adds, encoded, fails, read, rows_of, write_file

GOOD = adds(20)

DROPPED = "jelly_patch: malformed files"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two good files, and two that are cut off in their last frame."""
    root = tmp_path_factory.mktemp("malformed")
    data = encoded(GOOD, JellyPatchOptions(frame_size=10))
    for name in ("a.jellyp", "c.jellyp"):
        write_file(root / name, GOOD)
    for name in ("b.jellyp", "d.jellyp"):
        (root / name).write_bytes(data[:-5])
    return root


@pytest.fixture
def ignoring(spark: SparkSession) -> Iterator[None]:
    spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
    yield
    spark.conf.unset("spark.sql.files.ignoreCorruptFiles")


def by_file(spark: SparkSession, folder: Path, **options: Any) -> dict[str, list[PatchRow]]:
    frame = read(spark, folder, **options)
    found: dict[str, list[PatchRow]] = {}
    for *row, name in frame.select("*", "_metadata.file_name").collect():
        found.setdefault(name, []).append(PatchRow(*row))
    return found


def check_good_files(found: dict[str, list[PatchRow]]) -> None:
    assert found["a.jellyp"] == found["c.jellyp"] == GOOD
    for name in ("b.jellyp", "d.jellyp"):
        rows = found.get(name, [])
        assert rows == GOOD[: len(rows)]
        assert len(rows) < len(GOOD)


def dropped_files(spark: SparkSession) -> dict[int, int]:
    """What the accumulator that counts them held at the end of each stage that is remembered."""
    context: Any = spark.sparkContext
    jvm = context._jvm
    context._jsc.sc().listenerBus().waitUntilEmpty()
    stages = (
        context._jsc.sc()
        .statusStore()
        .stageList(
            None,
            False,
            False,
            context._gateway.new_array(jvm.double, 0),
            jvm.java.util.ArrayList(),
        )
    )
    return {
        stage.stageId(): int(update.value())
        for stage in (stages.apply(i) for i in range(stages.size()))
        for updates in [stage.accumulatorUpdates()]
        for update in [updates.apply(j) for j in range(updates.size())]
        if update.name() == DROPPED
    }


def test_the_job_fails(spark: SparkSession, folder: Path) -> None:
    with fails("frame at byte", "expected the rest of the frame"):
        read(spark, folder).collect()


def test_ignored_by_option(spark: SparkSession, folder: Path) -> None:
    check_good_files(by_file(spark, folder, ignoreCorruptFiles=True))


def test_ignored_by_setting(spark: SparkSession, folder: Path, ignoring: None) -> None:
    check_good_files(by_file(spark, folder))


def test_rows_before_are_kept(spark: SparkSession, folder: Path) -> None:
    before = dropped_files(spark)
    found = by_file(spark, folder, mode="dropMalformed")
    check_good_files(found)
    # Ten rows on the wire, lookups and options among them, are a frame: the last one is cut.
    assert 5 < len(found["b.jellyp"]) < len(GOOD)
    assert found["b.jellyp"] == found["d.jellyp"]
    # Spark forgets old stages, so only the new ones are looked at.
    after = dropped_files(spark)
    assert [after[stage] for stage in after.keys() - before.keys()] == [2]


def test_rows_before_are_kept_where_nothing_is_malformed(spark: SparkSession, folder: Path) -> None:
    assert rows_of(read(spark, folder / "a.jellyp", mode="DROPMALFORMED")) == GOOD


def first_line(error: Exception) -> str:
    """The first line of what PySpark shows."""
    return str(error).splitlines()[0]


def actions(frame: DataFrame, target: Path) -> list[Callable[[], object]]:
    """Ways to run a query: with and without a shuffle, into files, and over Arrow."""
    return [
        frame.collect,
        frame.select("subject").distinct().count,
        lambda: frame.write.parquet(str(target)),
        frame.toPandas,
    ]


def test_pyspark_shows_the_reason_and_nothing_else(spark: SparkSession, tmp_path: Path) -> None:
    for name, data, place in (
        ("bad.rdfp", b'A <a:s> <a:p> "1" .\nA <a:s> oops .\n', "line 2 (row 1, byte 20)"),
        ("bad.jellyp", encoded(adds(3))[:-1], "frame at byte 0"),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        format = "rdf_patch" if name == "bad.rdfp" else "jelly_patch"
        frame = spark.read.format(format).load(str(path))
        for action in actions(frame, tmp_path / f"{format}.parquet"):
            with pytest.raises(PySparkException) as raised:
                action()
            error = raised.value
            assert len(str(error).splitlines()) == 1
            assert str(error).startswith(f"file://{path}: {place}")
            assert error.getCondition() == "FAILED_READ_FILE.NO_HINT"
            assert error.getSqlState() == "KD001"
            parameters = error.getMessageParameters()
            assert parameters is not None
            assert str(error) == (
                "{path}: {place}: expected {expected}, found {found}".format_map(parameters)
            )


def test_rows_without_batches(spark: SparkSession, folder: Path) -> None:
    """As Spark reads them if a query has very many columns."""
    spark.conf.set("spark.sql.codegen.maxFields", "1")
    try:
        with pytest.raises(PySparkException) as raised:
            read(spark, folder / "b.jellyp").collect()
    finally:
        spark.conf.unset("spark.sql.codegen.maxFields")
    assert len(str(raised.value).splitlines()) == 1


def test_a_stream_shows_the_reason_in_its_first_line(spark: SparkSession, tmp_path: Path) -> None:
    write_file(tmp_path / "in/a.jellyp", GOOD)
    (tmp_path / "in/b.jellyp").write_bytes(encoded(GOOD)[:-1])
    rows = spark.readStream.format("jelly_patch").schema(SCHEMA).load(str(tmp_path / "in"))
    writer = rows.writeStream.format("parquet").option("checkpointLocation", str(tmp_path / "log"))
    query = writer.start(str(tmp_path / "out"))
    with pytest.raises(PySparkException) as raised:
        query.processAllAvailable()
    assert "b.jellyp: frame at byte 0" in first_line(raised.value)
    assert "expected the rest of the frame, found the end of the input" in first_line(raised.value)


HTML = b"<!DOCTYPE html>\n<html><body>Not Found</body></html>\n"


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (b"TX .\nTC .\n", "this looks like RDF Patch text: read it with the format rdf_patch"),
        (HTML, "this looks like an HTML page: download the data, not the page about it"),
        (b"PAR1\x15\x04\x15\x10", "this looks like a Parquet file"),
        (
            gzip.compress(encoded(GOOD), mtime=0),
            "this looks like a file compressed with gzip: give the file the extension .gz, or "
            "decompress it first",
        ),
        (
            "TX .\nTC .\n".encode("utf-16-le"),
            "this looks like text in UTF-16: convert it to UTF-8 first, for example with iconv",
        ),
    ],
    ids=["text", "html", "parquet", "gzip", "utf-16"],
)
def test_a_file_of_another_kind(
    spark: SparkSession, folder: Path, tmp_path: Path, data: bytes, hint: str
) -> None:
    """Is named as what it is, and is never dropped."""
    path = tmp_path / "other.jellyp"
    path.write_bytes(data)
    for mode in ("FAILFAST", "DROPMALFORMED"):
        with pytest.raises(PySparkException) as raised:
            read(spark, folder / "a.jellyp", path, mode=mode).collect()
        assert first_line(raised.value).startswith(f"file://{path}: frame at byte 0")
        assert first_line(raised.value).endswith(f" ({hint})")
        parameters = raised.value.getMessageParameters()
        assert parameters is not None
        assert parameters["hint"] == hint
    for format in ("jelly_patch", "rdf_patch_thrift"):
        with pytest.raises(MalformedInputError) as python:
            list(bridge.decode(path, format=format))
        assert python.value.hint == hint


@pytest.mark.parametrize("format", ["jelly_patch", "jelly_rdf", "rdf_patch", "rdf_patch_thrift"])
def test_no_format_drops_files_of_another_kind(
    spark: SparkSession, tmp_path: Path, format: str
) -> None:
    for name, data in {"page": HTML, "garbage": bytes(range(256)), "names": b"a,b\n1,2\n"}.items():
        path = tmp_path / name
        path.write_bytes(data)
        reader = spark.read.format(format).option("mode", "DROPMALFORMED")
        with fails(f"{name}: ", "expected", "found"):
            reader.load(str(path)).collect()


def test_comments_at_the_start_are_of_the_format(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "log.rdfp"
    path.write_text("# note\n" * 200 + "TX .\noops\nTC .\n")
    frame = spark.read.format("rdf_patch").option("mode", "DROPMALFORMED").load(str(path))
    assert [row.op for row in frame.collect()] == ["TX", "TC"]


def test_the_rest_of_a_file_is_dropped_from_its_first_row_on(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Its beginning says that it is of the format."""
    path = tmp_path / "a.jellyp"
    path.write_bytes(encoded(GOOD)[:40])
    assert rows_of(read(spark, path, mode="DROPMALFORMED")) == []
