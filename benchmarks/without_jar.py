"""Measure the data sources in plain Python beside those of the jar.

    .venv/bin/python -m benchmarks.without_jar --rows 200000

Two sessions take turns, one with the jar and one without it, at the same files. Each reads all
columns of a Jelly-Patch file, counts the rows that pass a filter, and writes the rows again. The
program prints the median of the rounds in seconds, and changes no results.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from jelly_spark import codec
from jelly_spark.codec import PatchRow

ROOT = Path(__file__).resolve().parent.parent
ENGINES = ("jvm", "python")
_NAME = "jelly_patch"


def patch(rows: int) -> Iterator[PatchRow]:
    """Yield a patch with so many statements, in which a subject has ten."""
    for i in range(rows):
        subject = f"<https://data.example/product/{i // 10}>"
        predicate = f"<https://schema.example/property{i % 10}>"
        yield PatchRow("D" if i % 7 == 0 else "A", subject, predicate, f'"value {i}"')


def work(engine: str, source: str, target: str) -> None:
    """Do the work once for each line of the input, and print the seconds as JSON."""
    from pyspark.sql import SparkSession

    import jelly_spark

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.python.filterPushdown.enabled", "true")
    if engine == "jvm":
        builder = jelly_spark.configure(builder)
    spark = builder.getOrCreate()
    assert jelly_spark.engine(spark)[_NAME].name == engine
    # Spark needs all columns for this.
    sizes = " + ".join(f"coalesce(length({name}), 0)" for name in PatchRow._fields)

    def read(filters: str) -> Any:
        frame = spark.read.format(_NAME).load(source).where(filters)
        return frame.selectExpr(f"sum({sizes})").collect()[0][0]

    jobs: dict[str, Callable[[], Any]] = {
        "read": lambda: read("true"),
        "filter": lambda: read("op = 'D' AND predicate = '<https://schema.example/property3>'"),
        "write": lambda: (
            spark.read.format(_NAME).load(source).write.format(_NAME).mode("overwrite").save(target)
        ),
    }
    for _ in sys.stdin:
        seconds = {}
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            seconds[name] = time.perf_counter() - start
        print(json.dumps(seconds), flush=True)


def main() -> None:
    """Run the measures, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="the statements of the patch")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that count")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(*options.worker)
        return
    with TemporaryDirectory(prefix="jelly-spark-") as made:
        folder = Path(made)
        codec.write(folder / "in.jellyp", patch(options.rows))
        workers = [_start(engine, folder) for engine in ENGINES]
        # The first round starts processes and compiles code.
        rounds = [[_ask(worker) for worker in workers] for _ in range(options.rounds + 1)][1:]
        for worker in workers:
            worker.communicate()
    print(f"{options.rows:,} rows, seconds   " + "".join(f"{engine:>8}" for engine in ENGINES))
    for name in ("read", "filter", "write"):
        found = [median(one[place][name] for one in rounds) for place in range(len(ENGINES))]
        print(f"{name:24}" + "".join(f"{seconds:8.2f}" for seconds in found))


def _start(engine: str, folder: Path) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT / "python"), str(ROOT)])
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "benchmarks.without_jar", "--worker"),
            *(engine, str(folder / "in.jellyp"), str(folder / engine)),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable},
    )


def _ask(worker: subprocess.Popen[str]) -> dict[str, float]:
    assert worker.stdin is not None and worker.stdout is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    line = worker.stdout.readline()
    if not line:
        raise SystemExit("a session ended without a result")
    found: dict[str, float] = json.loads(line)
    return found


if __name__ == "__main__":
    main()
