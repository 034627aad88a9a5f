"""What a log costs as it grows: processor time, and requests and bytes in S3.

    python -m benchmarks.log_growth

The patches before the measured ones are made up: the index has their entries, but their files do
not exist. The S3 server is moto's, on this machine, so its times say nothing about S3.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any, NamedTuple

import boto3
from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark import Log
from jelly_spark.codec import PatchRow
from jelly_spark.log.entries import block_of
from jelly_spark.log.files import Files
from jelly_spark.log.managed import ManagedIndex
from tests.log.patches import id_of, made_up, patch
from tests.objectstore.server import BUCKET, Server, s3_server

COUNTS = (100, 1_000, 20_000, 1_000_000)
APPENDS = 20
"""How many appends are measured, none of which completes a block of the index."""


class Cost(NamedTuple):
    """What some calls took, each.

    Attributes:
        millis: processor time of this process, in milliseconds.
        requests: requests to S3; 0 in a folder.
        lists: requests that list, of these.
        received: bytes that S3 sent.
        sent: bytes that S3 was sent to store.
    """

    millis: float
    requests: float = 0
    lists: float = 0
    received: float = 0
    sent: float = 0


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
    return cost._replace(
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
    ManagedIndex.create(Files(path), block_of(made_up(count)))
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
    return log._store.versions().find(id_of(3))


def table(found: dict[int, dict[str, Cost]]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield "| | " + " | ".join(f"{count:,}" for count in found) + " |"
    yield "| --- |" + " ---: |" * len(found)
    for name in next(iter(found.values())):
        cells = (costs[name] for costs in found.values())
        yield f"| {name} | " + " | ".join(map(cell, cells)) + " |"


def cell(cost: Cost) -> str:
    """Return a cost as text."""
    if not cost.requests:
        return f"{cost.millis:.1f} ms"
    lists = f" ({cost.lists:.0f} LIST)" if cost.lists else ""
    sent = f", {cost.sent / 1e3:,.1f} kB sent" if cost.sent else ""
    return (
        f"{cost.millis:.1f} ms, {cost.requests:.0f} requests{lists}, "
        f"{cost.received / 1e3:,.1f} kB received{sent}"
    )


def main() -> None:
    """Measure logs of several lengths, and print a table for each place."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    counts: list[int] = parser.parse_args().counts
    with tempfile.TemporaryDirectory() as folder:
        local = {count: grow(f"{folder}/{count}", count, None) for count in counts}
        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        spark = jelly_spark.configure(builder).getOrCreate()
        # The first plans of a JVM take longer.
        plan(spark, f"{folder}/{counts[0]}")
        for count, costs in local.items():
            costs["plan of one patch (Spark)"] = plan(spark, f"{folder}/{count}")
        spark.stop()
    print("In a folder, processor time of a call, and elapsed time of Spark's:\n")
    print(*table(local), sep="\n")
    with s3_server() as server:
        os.environ.update(server.environment)
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        remote = {count: grow(f"s3://{BUCKET}/{count}", count, server) for count in counts}
    print("\nIn S3:\n", *table(remote), sep="\n")


if __name__ == "__main__":
    main()
