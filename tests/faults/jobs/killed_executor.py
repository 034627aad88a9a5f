"""Submitted: writes each format while an executor is killed and a slow task has a copy.

    killed_executor.py FOLDER FORMAT...

Partition 0 kills its executor in the middle of its first attempt, when it has written a part of
its file. Partition 1 waits in its first attempt until a copy of it runs. Prints whether an executor
was killed, for each format, and the numbers of speculative copies and of attempts that were lost.
"""

import json
import os
import signal
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark import TaskContext
from pyspark.sql import SparkSession

from jelly_spark.codec import PatchRow
from jelly_spark.formats import FORMATS

PARTITIONS = 6
ROWS = 8_000
"""Of a partition: more than what waits in buffers while a file is written."""

_TIMEOUT = 60
_TRIPLE = ("subject", "predicate", "object")


def rows(partition: int) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of a partition."""
    for number in range(ROWS):
        yield f"<urn:s:{partition}>", f"<urn:p:{number % 7}>", f'"{partition} {number}"'


def written_by(folder: Path, marks: Path) -> Any:
    """Return what makes the rows of a partition, and does the harm."""

    def make(partition: int, _: Any) -> Iterator[tuple[str, str, str]]:
        attempt = _attempt()
        for number, row in enumerate(rows(partition)):
            if number == ROWS - 1 and partition == 0 and attempt == 0:
                _await(lambda: _has_written(folder))
                (marks / "killed").touch()
                _kill_executor()
            if number == ROWS - 1 and partition == 1:
                if attempt == 0:
                    _await((marks / "copied").exists)
                else:
                    (marks / "copied").touch()
            yield row

    return make


def _attempt() -> int:
    context = TaskContext.get()
    assert context is not None
    return context.attemptNumber()


def _has_written(folder: Path) -> bool:
    """Whether the file of partition 0 has a part of its content."""
    parts = folder.glob("_temporary/**/part-00000*")
    return any(part.stat().st_size for part in parts)


def _await(holds: Any) -> None:
    end = time.monotonic() + _TIMEOUT
    while not holds():
        assert time.monotonic() < end, "what the task waits for does not come"
        time.sleep(0.05)


def _kill_executor() -> None:
    """Kill the JVM that this process works for: it started the daemon that started this."""
    stat = Path(f"/proc/{os.getppid()}/stat").read_text()
    os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
    time.sleep(_TIMEOUT)


def _api(spark: SparkSession, path: str) -> Any:
    context = spark.sparkContext
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/{path}"
    with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:
        return json.load(answer)


def _tasks(spark: SparkSession) -> list[Any]:
    return [
        task
        for stage in _api(spark, "stages")
        for task in _api(
            spark, f"stages/{stage['stageId']}/{stage['attemptId']}/taskList?length=1000"
        )
    ]


def main(folder: Path, formats: list[str]) -> None:
    spark = SparkSession.builder.appName("killed executor").getOrCreate()
    partitions = spark.sparkContext.parallelize(range(PARTITIONS), PARTITIONS)
    for format in formats:
        marks = folder / f"{format}.marks"
        marks.mkdir()
        target = folder / format
        made = partitions.mapPartitionsWithIndex(written_by(target, marks))
        schema = ", ".join(f"{name} string" for name in _TRIPLE)
        frame = spark.createDataFrame(made, schema)
        if FORMATS[format].row is PatchRow:
            frame = frame.selectExpr("'A' AS op", *_TRIPLE)
        frame.write.format(format).save(str(target))
        print((marks / "killed").exists())
    tasks = _tasks(spark)
    print(sum(task["speculative"] for task in tasks))
    print(sum("ExecutorLostFailure" in task.get("errorMessage", "") for task in tasks))
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
