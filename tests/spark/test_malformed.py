"""How the options of a read treat malformed files among good ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import JellyPatchOptions, PatchRow
from tests.spark.patches import adds, encoded, fails, read, rows_of, write_file

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


def dropped_files(spark: SparkSession) -> list[int]:
    """What the accumulator that counts them has held at the end of each stage so far."""
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
    return [
        int(update.value())
        for i in range(stages.size())
        for updates in [stages.apply(i).accumulatorUpdates()]
        for update in [updates.apply(j) for j in range(updates.size())]
        if update.name() == DROPPED
    ]


def test_the_job_fails(spark: SparkSession, folder: Path) -> None:
    with fails("MalformedInputException", "frame at byte"):
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
    after = dropped_files(spark)
    for count in before:
        after.remove(count)
    assert after == [2]


def test_rows_before_are_kept_where_nothing_is_malformed(spark: SparkSession, folder: Path) -> None:
    assert rows_of(read(spark, folder / "a.jellyp", mode="DROPMALFORMED")) == GOOD


def test_a_file_that_is_malformed_from_its_start(
    spark: SparkSession, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "text.jellyp"
    path.write_text("TX .\nA <a:b> <a:b> <a:b> .\nTC .\n")
    with fails("text.jellyp", "frame at byte 0"):
        read(spark, path).collect()
    frame = read(spark, folder / "a.jellyp", path, mode="DROPMALFORMED")
    assert rows_of(frame) == GOOD
