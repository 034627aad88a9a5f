"""Tasks that Spark kills end at once, also where they have no row to return for long."""

import gzip
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pyspark import inheritable_thread_target
from pyspark.sql import DataFrame, SparkSession

from jelly_spark.codec import JellyPatchOptions, PatchRow, StreamType
from jelly_spark.core.varint import encode_varint
from tests.spark.patches import EX, encoded, read
from tests.spark.settings import setting
from tests.spark.stages import Stages, stages

SECONDS = 10
"""How long a killed task may go on. Read to their end, the files take minutes."""


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait for a condition. Return whether it came true."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def running_tasks(spark: SparkSession) -> int:
    """Return how many tasks the executors of a session run."""
    context: Any = spark.sparkContext
    infos = context._jsc.sc().statusTracker().getExecutorInfos()
    return sum(info.numRunningTasks() for info in infos)


def cancel_while_it_counts(spark: SparkSession, frame: DataFrame) -> int:
    """Count rows, cancel the job, and wait for its tasks. Return the bytes that they read."""
    found: list[Stages] = []

    def count() -> None:
        with stages(spark) as counting:
            found.append(counting)
            frame.count()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(inheritable_thread_target(spark)(count))
        assert wait_until(lambda: running_tasks(spark) > 0 or done.done(), 60)
        time.sleep(1)  # so that they are in the middle of the files
        assert running_tasks(spark) > 0
        spark.sparkContext.cancelJobGroup(found[0].group)
        assert wait_until(lambda: running_tasks(spark) == 0, SECONDS)
        assert "cancelled" in str(done.exception(SECONDS))
    return found[0].bytes_read


def test_a_scan_whose_filter_nothing_passes(spark: SparkSession, tmp_path: Path) -> None:
    row = PatchRow("A", f"<{EX}s>", f"<{EX}p>", f"<{EX}o>")
    start = encoded([row] * 2, JellyPatchOptions(stream_type=StreamType.FLAT))
    repeated = start[-4:]  # a row that repeats all terms of the one before it
    frame = encode_varint(512 * len(repeated)) + 512 * repeated
    path = tmp_path / "long.jellyp.gz"
    with path.open("wb") as file:
        file.write(gzip.compress(start))
        many = gzip.compress(frame * 4000)
        for _ in range(1000):
            file.write(many)
    found = read(spark, path).where("op = 'D'")
    assert cancel_while_it_counts(spark, found) < path.stat().st_size / 2


@pytest.mark.parametrize("splits", [1, 2])
def test_text_without_rows(spark: SparkSession, tmp_path: Path, splits: int) -> None:
    """In the first split; the second passes over it."""
    size = 100 << 30
    path = tmp_path / "long.rdfp"
    with path.open("wb") as file:
        file.write(b"A <s:> <p:> <o:> .\n# ")
        file.truncate(size)  # a comment of zeros, which takes no room on the disk
    with setting(spark, "spark.sql.files.maxPartitionBytes", size // splits):
        found = spark.read.format("rdf_patch").load(str(path))
        assert cancel_while_it_counts(spark, found) < size / 2
