"""Measure the CPU time and the bytes read when a text file is read in 1 to 64 splits.

The CPU time of the longest task is the time of the read on a cluster with one core for each task.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from pyspark.sql import SparkSession

from benchmarks.guides.guide import Guide, Table
from benchmarks.running.rounds import in_turns
from benchmarks.workers.spark import start_spark

SPLITS = (1, 2, 4, 8, 16, 32, 64)


def run(options: Namespace) -> Iterator[Table]:
    """Generate a file, and read it in turns."""
    spark = start_spark(f"local[{options.cores}]", "2g", [])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.rdfp"
        write_log(path, options.megabytes << 20)
        scan(spark, path, 1)  # warm-up
        scans = {splits: partial(scan, spark, path, splits) for splits in SPLITS}
        rows = {}
        for splits, found in in_turns(scans, 0, options.rounds, {}).items():
            cpu, longest, size = map(median, zip(*found, strict=True))
            rows[f"{splits}"] = {
                "CPU seconds": cpu,
                "of the longest task": longest,
                "bytes read / file": size / path.stat().st_size,
            }
    spark.stop()
    yield Table("splits", rows)


def write_log(path: Path, size: int) -> None:
    """Write a log of at least `size` bytes, with one transaction of 1,000 rows per patch."""
    base = "http://example.org"
    with path.open("w", encoding="ascii") as file:
        patch = 0
        while file.tell() < size:
            items = range(1000 * patch, 1000 * patch + 1000)
            rows = (f'A <{base}/item/{i}> <{base}/name> "Item {i}" .\n' for i in items)
            file.write(f"TX .\n{''.join(rows)}TC .\nZ .\n")
            patch += 1


def scan(spark: SparkSession, path: Path, splits: int) -> tuple[tuple[float, float, int], None]:
    """Read the file in this many splits.

    Returns:
        The CPU seconds of all tasks, those of the longest task, and the bytes read; and None.
    """
    context: Any = spark.sparkContext
    group = str(uuid4())
    context.setJobGroup(group, f"{splits} splits")
    spark.conf.set("spark.sql.files.minPartitionNum", "1")
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(-(-path.stat().st_size // splits)))
    spark.conf.set("spark.sql.files.openCostInBytes", "0")
    frame = spark.read.format("rdf_patch").load(str(path))
    frame.selectExpr("max(seq)", "max(length(subject))", "max(length(object))").collect()
    context._jsc.sc().listenerBus().waitUntilEmpty()
    tracker, store = context.statusTracker(), context._jsc.sc().statusStore()
    jobs = (tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group))
    stages = [store.lastStageAttempt(stage) for stage in {s for job in jobs for s in job.stageIds}]
    (stage,) = [stage for stage in stages if stage.inputBytes()]
    found = store.taskList(stage.stageId(), stage.attemptId(), splits)
    tasks = [found.apply(i).taskMetrics().get() for i in range(found.size())]
    cpu = [task.executorCpuTime() / 1e9 for task in tasks]
    return (sum(cpu), max(cpu), stage.inputBytes()), None


GUIDE = Guide(run, {"megabytes": 512, "cores": 2, "rounds": 3})
