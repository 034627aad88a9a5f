"""Spark's filters skip restart ranges: the same rows as without, from fewer bytes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import JellyPatchOptions, PatchRow
from tests.codec.files.restart_files import points_of, read, write
from tests.spark.patches import EX
from tests.spark.settings import setting
from tests.spark.stages import stages

ALL = "subject,predicate,object,graph"
OPTIONS = JellyPatchOptions(restart_interval=2500, frame_size=30, index_columns=ALL)
ROWS = [
    PatchRow("END")
    if n % 10 == 9
    else PatchRow("A", f"<{EX}s{n // 5}>", f"<{EX}p{n % 3}>", f'"{n % 70}"', f"<{EX}g{n // 500}>")
    for n in range(4000)
]

CONDITIONS: dict[str, tuple[Callable[[Any], bool], float]] = {
    f"subject = '<{EX}s17>'": (lambda row: row.subject == f"<{EX}s17>", 0.1),
    f"subject IN ('<{EX}s17>', '<{EX}s700>')": (
        lambda row: row.subject in (f"<{EX}s17>", f"<{EX}s700>"),
        0.2,
    ),
    f"graph = '<{EX}g3>' AND op = 'A'": (lambda row: row.graph == f"<{EX}g3>", 0.3),
    "subject = '<urn:none>'": (lambda row: False, 0.1),
    "graph IS NULL": (lambda row: row.graph is None, 1),
    "seq BETWEEN 1000 AND 1010": (lambda row: 1000 <= row.seq <= 1010, 0.1),
    "seq > 3990 OR seq < 0": (lambda row: row.seq > 3990, 1),
    "patch = 100 AND seq % 2 = 0": (lambda row: row.patch == 100 and row.seq % 2 == 0, 0.1),
    "patch IN (3, 390)": (lambda row: row.patch in (3, 390), 0.3),
    f"subject = (SELECT max('<{EX}s17>') FROM range(1))": (
        lambda row: row.subject == f"<{EX}s17>",
        0.1,
    ),
    # A join.
    f"subject IN (SELECT max('<{EX}s17>') FROM range(1))": (
        lambda row: row.subject == f"<{EX}s17>",
        1,
    ),
}
"""What rows a condition selects, and the most ranges that are read for it, of all."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "log.jellyp"
    path.write_bytes(write(ROWS, OPTIONS))
    return path


@pytest.mark.parametrize("condition", CONDITIONS)
def test_ranges_are_skipped(spark: SparkSession, log: Path, condition: str) -> None:
    data = log.read_bytes()
    ranges = 1 + len(points_of(data))
    selects, share = CONDITIONS[condition]
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", -(-len(data) // 3)),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
        stages(spark) as found,
    ):
        rows = spark.read.format("jelly_patch").load(str(log)).where(condition).collect()
    expected = [tuple(row) for row in read(data, OPTIONS) if selects(row)]
    assert sorted(map(tuple, rows), key=lambda row: row[-1]) == expected
    counters = found.counters
    done = counters.get("jelly_patch: restart ranges read", 0)
    skipped = counters.get("jelly_patch: restart ranges skipped", 0)
    assert done + skipped == ranges > 15
    assert done <= share * ranges
    if share < 1:
        assert counters["jelly_patch: bytes of skipped restart ranges"] > 0.6 * len(data)


def test_checks_of_all_columns_skip_nothing(spark: SparkSession, log: Path) -> None:
    frame = spark.read.format("jelly_patch").option("checkAllColumns", True).load(str(log))
    with stages(spark) as found:
        assert len(frame.where("seq = 5").collect()) == 1
    assert "jelly_patch: restart ranges skipped" not in found.counters
