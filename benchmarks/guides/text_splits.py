"""Measure the CPU time and the bytes read when a text file is read in 1 to 64 splits.

    .venv/bin/python -m benchmarks.guides.text_splits --megabytes 512

The program prints a table. The CPU time of the longest task is the time of the read on a cluster
with one core for each task.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

from pyspark.sql import SparkSession

import jelly_spark

SPLITS = (1, 2, 4, 8, 16, 32, 64)

ROUNDS = 3
"""The number of measurements for each number of splits; the table shows their median."""


def main() -> None:
    """Generate a file, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=512, help="size of the file")
    parser.add_argument("--cores", type=int, default=2, help="tasks that run at a time")
    arguments = parser.parse_args()
    builder = SparkSession.builder.master(f"local[{arguments.cores}]")
    builder = builder.config("spark.ui.enabled", "false").config("spark.driver.memory", "2g")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = jelly_spark.configure(builder).getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.rdfp"
        write_log(path, arguments.megabytes << 20)
        scan(spark, path, 1)  # warm-up
        print("| splits | CPU seconds | of the longest task | bytes read / file |")
        print("| ---: | ---: | ---: | ---: |")
        rounds = [[scan(spark, path, splits) for splits in SPLITS] for _ in range(ROUNDS)]
        for splits, *found in zip(SPLITS, *rounds, strict=True):
            cpu, longest, size = map(median, zip(*found, strict=True))
            ratio = size / path.stat().st_size
            print(f"| {splits} | {cpu:.1f} | {longest:.1f} | {ratio:.1f} |")
    spark.stop()


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


def scan(spark: SparkSession, path: Path, splits: int) -> tuple[float, float, int]:
    """Read the file in this many splits.

    Returns:
        The CPU seconds of all tasks, the CPU seconds of the longest task, and the bytes read.
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
    ids = {stage for job in jobs for stage in job.stageIds}
    stages = [store.lastStageAttempt(stage) for stage in ids]
    (stage,) = [stage for stage in stages if stage.inputBytes()]
    found = store.taskList(stage.stageId(), stage.attemptId(), splits)
    tasks = [found.apply(i).taskMetrics().get() for i in range(found.size())]
    cpu = [task.executorCpuTime() / 1e9 for task in tasks]
    return sum(cpu), max(cpu), stage.inputBytes()


if __name__ == "__main__":
    main()
