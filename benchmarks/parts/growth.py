"""What a log costs as it grows: processor time, and requests and bytes in S3.

The patches before the measured ones are made up: the index has their entries, but their files do
not exist. The S3 server is moto's, on this machine, so its times say nothing about S3.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from statistics import median

import boto3
from pyspark.sql import SparkSession

import jelly_spark
from benchmarks.parts.part import Part, Run
from benchmarks.results import Results
from benchmarks.tables import table
from jelly_spark import Log
from jelly_spark.log.entries.files import Files
from jelly_spark.log.index.block import block_of
from jelly_spark.log.index.index_writer import create
from tests.log.patches import id_of, made_up, patch
from tests.objectstore.server import BUCKET, Server, s3_server

APPENDS = 20
"""How many appends are measured, none of which completes a block of the index."""

PLACES = ("in a folder", "in S3")


@dataclass(frozen=True)
class Cost:
    """What some calls took, each.

    Attributes:
        millis: processor time of the process in milliseconds; elapsed time of Spark.
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

    def __str__(self) -> str:
        if not self.requests:
            return f"{self.millis:.1f} ms"
        lists = f" ({self.lists:.0f} LIST)" if self.lists else ""
        sent = f", {self.sent / 1e3:,.1f} kB sent" if self.sent else ""
        return (
            f"{self.millis:.1f} ms, {self.requests:.0f} requests{lists}, "
            f"{self.received / 1e3:,.1f} kB received{sent}"
        )


def cost_of(call: Callable[[], object], count: int, server: Server | None) -> Cost:
    """Call a function so many times, and return what a call took, with the requests to a server."""
    with server.watched() if server is not None else nullcontext() as requests:
        begin = time.process_time()
        for _ in range(count):
            call()
        took = time.process_time() - begin
    figures = [took * 1e3]
    if requests is not None:
        figures += [len(requests), requests.kinds["LIST"]]
        figures += [requests.bytes_asked, requests.bytes_sent]
    return Cost(*(figure / count for figure in figures))


def grow(path: str, count: int, server: Server | None) -> dict[str, Cost]:
    """Return what a log of some patches costs."""
    create(Files(path), block_of(made_up(count)))
    log = Log(path)
    log.head()
    patches = (patch(number, number - 1, add=[number]) for number in itertools.count(count))
    return {
        "append": cost_of(lambda: log.append(next(patches)), APPENDS, server),
        "append, new process": cost_of(lambda: Log(path).append(next(patches)), APPENDS, server),
        "head, new process": cost_of(lambda: Log(path).head(), 5, server),
        "first look at all": cost_of(lambda: Log(path).versions(), 1, server),
        "an old version by id": cost_of(lambda: Log(path)._view().find(id_of(3)), 1, server),
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


def measure(run: Run) -> None:
    """Measure logs with several numbers of patches."""
    counts, folder = run.options.logs, run.folder
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
    for place, found in zip(PLACES, (local, remote), strict=True):
        run.results.tables[f"growth, {place}"] = {
            call: {f"{count:,}": asdict(costs[call]) for count, costs in found.items()}
            for call in found[counts[0]]
        }


def report(results: Results) -> Iterator[str]:
    """Yield a table for each place."""
    for place in PLACES:
        yield f"What a call costs, {place}, by the number of patches of the log:"
        yield ""
        found = results.tables[f"growth, {place}"]
        yield from table(
            {
                call: {count: str(Cost(**cost)) for count, cost in costs.items()}
                for call, costs in found.items()
            }
        )
        yield ""


PART = Part("A log that grows", "growth, in S3", measure, report)
