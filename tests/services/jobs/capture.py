"""Run in a process of its own: keeps the tables of `examples/cdc` up to date with a log.

    capture.py FOLDER FUNCTION

Follows `FOLDER/log` into `FOLDER/tables`, two files a micro-batch. The process kills itself when
it has called a function of the example, `append` or `capture`, for the second time. If FUNCTION is
`none`, it follows the log again, with another checkpoint, and prints the rows of both tables as
JSON.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from pyspark.sql import SparkSession

import jelly_spark
from examples.cdc import log_to_delta

KILLED = 9
"""The exit status of a process that killed itself."""


def die_after(function: str) -> None:
    """Have the process end after the second call of a function of the example."""
    original = getattr(log_to_delta, function)
    calls: list[Any] = []

    def call(*args: Any) -> None:
        original(*args)
        calls.append(args)
        if len(calls) == 2:
            os._exit(KILLED)

    setattr(log_to_delta, function, call)


def main(folder: str, function: str) -> None:
    """Follow the log."""
    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    log, tables = f"{folder}/log", f"{folder}/tables"
    if function != "none":
        die_after(function)
    for checkpoint in ("checkpoint", "another"):
        log_to_delta.follow(spark, log, tables, f"{folder}/{checkpoint}", maxFilesPerTrigger=2)
    found = {
        name: [tuple(row) for row in spark.read.format("delta").load(f"{tables}/{name}").collect()]
        for name in ("state", "changes")
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
