"""What a log costs as it grows: processor time, and requests and bytes in S3.

The patches before the measured ones are made up: the index has their entries, but their files do
not exist. The S3 server is moto's, on this machine, so its times say nothing about S3.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import boto3
from pyspark.sql import SparkSession

import jelly_spark
from benchmarks.results import Cost, Results
from jelly_spark import Log
from jelly_spark.codec import PatchRow
from jelly_spark.log.files import Files
from jelly_spark.log.index.block import block_of
from jelly_spark.log.index.log_index import LogIndex
from tests.log.patches import id_of, made_up, patch
from tests.objectstore.server import BUCKET, Server, s3_server

APPENDS = 20
"""How many appends are measured, none of which completes a block of the index."""


def measure(calls: Sequence[Callable[[], Any]], server: Server | None) -> Cost:
    """Call functions, and return what a call took."""
    with watched(server) as requests:
        begin = time.process_time()
        for call in calls:
            call()
        took = time.process_time() - begin
    count = len(calls)
    cost = Cost(took * 1e3 / count)
    if requests is None:
        return cost
    return replace(
        cost,
        requests=len(requests) / count,
        lists=requests.kinds["LIST"] / count,
        received=requests.bytes_asked / count,
        sent=requests.bytes_sent / count,
    )


@contextmanager
def watched(server: Server | None) -> Iterator[Any]:
    """Collect the requests of a block, if there is a server."""
    if server is None:
        yield None
    else:
        with server.watched() as requests:
            yield requests


def rows(number: int) -> list[PatchRow]:
    """Return a small patch with a number."""
    return patch(number, number - 1, add=[number])


def grow(path: str, count: int, server: Server | None) -> dict[str, Cost]:
    """Return what a log of some patches costs."""
    LogIndex.create(Files(path), block_of(made_up(count)))
    log = Log(path)
    log.head()
    numbers = iter(range(count, count + 2 * APPENDS))

    def append_again() -> None:
        log.append(rows(next(numbers)))

    def append_first() -> None:
        Log(path).append(rows(next(numbers)))

    return {
        "append": measure([append_again] * APPENDS, server),
        "append, new process": measure([append_first] * APPENDS, server),
        "head, new process": measure([Log(path).head for _ in range(5)], server),
        "first look at all": measure([Log(path).versions], server),
        "an old version by id": measure([lambda: find(Log(path))], server),
    }


def plan(spark: SparkSession, path: str) -> Cost:
    """Return what it takes Spark to plan to read the last patch of a log, as elapsed time."""
    log = Log(path, spark)
    took = []
    for _ in range(20):
        begin = time.perf_counter()
        log.read(-2)._jdf.queryExecution().executedPlan()
        took.append(time.perf_counter() - begin)
    return Cost(median(took) * 1e3)


def find(log: Log[PatchRow]) -> int | None:
    """Return the position of an old version, as all methods find it that take an id."""
    return log._store.view().find(id_of(3))


def measure_growth(results: Results, folder: Path, counts: Sequence[int]) -> None:
    """Measure logs with several numbers of patches, and add what they cost to the results."""
    local = {count: grow(f"{folder}/{count}", count, None) for count in counts}
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = jelly_spark.configure(builder).getOrCreate()
    # The first plans of a JVM take longer.
    plan(spark, f"{folder}/{counts[0]}")
    for count, costs in local.items():
        costs["plan of one patch (Spark)"] = plan(spark, f"{folder}/{count}")
    spark.stop()
    with s3_server() as server:
        os.environ.update(server.environment)
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        remote = {count: grow(f"s3://{BUCKET}/{count}", count, server) for count in counts}
    results.growth = {
        place: {f"{count:,}": costs for count, costs in found.items()}
        for place, found in (("in a folder", local), ("in S3", remote))
    }
