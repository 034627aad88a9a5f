"""`read_log`: the rows of files with their place in the log."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import jelly_spark
from jelly_spark import algebra, codec
from jelly_spark.codec import PatchRow
from jelly_spark.errors import LogError, OptionError
from tests.log.patches import id_of, patch
from tests.spark.patches import fails

PATCHES = 12


def read(spark: SparkSession, *paths: Path, **options: Any) -> DataFrame:
    return jelly_spark.read_log(spark, "jelly_patch", paths, **options)


def write_shuffled(folder: Path) -> None:
    """Write a chain of patches, one or two to a file, under names without their order."""
    draw = random.Random(15)
    names = [f"{number}.jellyp" for number in draw.sample(range(100), PATCHES)]
    number = 0
    while number < PATCHES:
        count = draw.choice([1, 2])
        rows = [
            row._replace(patch=place)
            for place in range(count)
            for row in patch(
                number + place, number + place - 1 if number + place else None, add=[number + place]
            )
        ]
        codec.write(folder / names.pop(), rows)
        number += count


def objects(frame: DataFrame) -> list[tuple[int, str]]:
    """The `log_seq` and object of the adds, in their order."""
    rows = frame.where("op = 'A'").orderBy("log_seq", "seq").select("log_seq", "object")
    return [tuple(row) for row in rows.collect()]


def test_the_order_of_the_chain(spark: SparkSession, tmp_path: Path) -> None:
    write_shuffled(tmp_path)
    log = read(spark, tmp_path)
    assert log.columns == [*PatchRow._fields, "log_seq"]
    assert dict(log.dtypes)["log_seq"] == "bigint"
    found = objects(log)
    assert found == [(number, f'"{number}"') for number in range(len(found))]
    assert len(found) >= PATCHES
    assert log.where("op = 'H'").count() == 2 * len(found) - 1
    state, _ = algebra.state(log)
    assert state.count() == len(found)


def test_paths(spark: SparkSession, tmp_path: Path) -> None:
    for number in range(4):
        folder = tmp_path / f"day={number % 2}"
        folder.mkdir(exist_ok=True)
        codec.write(folder / f"{9 - number}.jellyp", patch(number, number - 1 if number else None))
    log = read(spark, tmp_path)
    assert log.columns == [*PatchRow._fields, "day", "log_seq"]
    days = log.select("log_seq", "day").distinct().orderBy("log_seq")
    assert [tuple(row) for row in days.collect()] == [(0, 0), (1, 1), (2, 0), (3, 1)]
    some = read(spark, tmp_path / "day=1" / "8.jellyp", tmp_path / "day=*" / "7.jellyp")
    assert [row[0] for row in some.select("log_seq").distinct().orderBy("log_seq").collect()] == [
        0,
        1,
    ]
    one = jelly_spark.read_log(spark, "jelly_patch", str(tmp_path / "day=0" / "9.jellyp"))
    assert one.where("log_seq = 0").count() == one.count() == 3


def test_names_that_a_url_escapes(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "a log"
    folder.mkdir()
    codec.write(folder / "zweiter Flicken é%20.jellyp", patch(2, 1, add=["b"]))
    codec.write(folder / "one + two.jellyp", patch(1, add=["a"]))
    assert objects(read(spark, folder)) == [(0, '"a"'), (1, '"b"')]
    log = jelly_spark.Log(folder, spark)
    assert objects(log.read()) == [(0, '"a"'), (1, '"b"')]


@pytest.mark.parametrize("format", ["rdf_patch", "rdf_patch_thrift"])
def test_other_formats(spark: SparkSession, tmp_path: Path, format: str) -> None:
    for number in range(3):
        rows = patch(number, number - 1 if number else None, add=[number])
        codec.write(tmp_path / f"part-{9 - number}", rows, format=format)
    log = jelly_spark.read_log(spark, format, tmp_path)
    assert objects(log) == [(0, '"0"'), (1, '"1"'), (2, '"2"')]


def test_terms_as_structs(spark: SparkSession, tmp_path: Path) -> None:
    codec.write(tmp_path / "b.jellyp", patch(1, add=["a"]))
    codec.write(tmp_path / "a.jellyp", patch(2, 1, add=["b"]))
    log = read(spark, tmp_path, terms="struct")
    values = log.where("op = 'A'").orderBy("log_seq").select("object.value")
    assert [row.value for row in values.collect()] == ["a", "b"]


def test_the_order_of_the_names(spark: SparkSession, tmp_path: Path) -> None:
    """Neither files nor patches need headers."""
    for name, count in [("a", 2), ("b", 1), ("c", 3)]:
        rows = [
            PatchRow("A", "<urn:s>", "<urn:p>", f'"{name}{number}"', patch=number)
            for number in range(count)
        ]
        codec.write(tmp_path / f"{name}.jellyp", rows)
    names = ["a0", "a1", "b0", "c0", "c1", "c2"]
    expected = [(place, f'"{name}"') for place, name in enumerate(names)]
    assert objects(read(spark, tmp_path, order="name")) == expected
    with pytest.raises(LogError, match=r"\.jellyp has no patch with a header id.*order='name'"):
        read(spark, tmp_path)
    with pytest.raises(OptionError, match="order must be one of: chain, name; not 'time'"):
        read(spark, tmp_path, order="time")
    with pytest.raises(
        OptionError, match="read_log reads patches, and jelly_rdf is not a patch format"
    ):
        jelly_spark.read_log(spark, "jelly_rdf", tmp_path)


def test_patches_without_id(spark: SparkSession, tmp_path: Path) -> None:
    codec.write(tmp_path / "a.jellyp", patch(1))
    codec.write(tmp_path / "b.jellyp", patch(2, 1)[2:])
    with pytest.raises(LogError, match=r"b\.jellyp has no patch with a header id"):
        read(spark, tmp_path)
    codec.write(tmp_path / "b.jellyp", [PatchRow("H", name="prev", value=id_of(1))])
    with pytest.raises(LogError, match=r"b\.jellyp has no header id"):
        read(spark, tmp_path)
    two = [row._replace(patch=0) for row in patch(2, 1)]
    codec.write(tmp_path / "b.jellyp", [*two, PatchRow("TX", patch=1), PatchRow("TC", patch=1)])
    log = read(spark, tmp_path)
    with fails("patch 1 of file:", "b.jellyp has no header id, so it has no place in the log"):
        log.collect()
    # A file without rows needs none.
    codec.write(tmp_path / "b.jellyp", [])
    assert read(spark, tmp_path).count() == 3


def test_a_fork(spark: SparkSession, tmp_path: Path) -> None:
    for name in "abc":
        codec.write(tmp_path / f"{name}.jellyp", patch(name, None if name == "a" else "a"))
    with pytest.raises(LogError, match=r"c\.jellyp, <urn:patch:c>, and .*b\.jellyp, .*both follow"):
        read(spark, tmp_path)


def test_files_that_are_added_later(spark: SparkSession, tmp_path: Path) -> None:
    codec.write(tmp_path / "a.jellyp", patch(1))
    log = read(spark, tmp_path)
    codec.write(tmp_path / "b.jellyp", patch(2, 1))
    assert log.count() == 3
    assert read(spark, tmp_path).count() == 7


def test_no_files(spark: SparkSession, tmp_path: Path) -> None:
    for order in ("chain", "name"):
        assert read(spark, tmp_path, order=order).count() == 0


def test_filters_reach_the_files(spark: SparkSession, tmp_path: Path) -> None:
    codec.write(tmp_path / "a.jellyp", patch(1, add=range(10)))
    log = read(spark, tmp_path).where("op = 'A'").select("object", "log_seq")
    plan = log._jdf.queryExecution().executedPlan().toString()
    assert "EqualTo(op,A)" in plan and "BroadcastHashJoin" in plan
    assert "Exchange hashpartitioning" not in plan and "Python" not in plan


@pytest.mark.parametrize("order", ["chain", "name"])
def test_partition_columns(spark: SparkSession, tmp_path: Path, order: str) -> None:
    for column in ("a.b", "log_seq"):
        (tmp_path / column / f"{column}=1").mkdir(parents=True)
        codec.write(tmp_path / column / f"{column}=1" / "1.jellyp", patch(1, add=["a"]))
    rows = read(spark, tmp_path / "a.b", order=order)
    assert [row["a.b"] for row in rows.where("op = 'A'").collect()] == [1]
    with pytest.raises(OptionError, match="log_seq must not be a partition column"):
        read(spark, tmp_path / "log_seq", order=order)
