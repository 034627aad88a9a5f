"""Submitted: writes a log from several tasks, reads it, and prints what came of it.

    round_trip.py FOLDER

Prints the number of files, of rows, of rows that differ, and of executors that ran tasks.
"""

import sys
from typing import Any

from pyspark.sql import DataFrame, SparkSession

FILES = 8
ROWS = 20_000
EX = "http://example.org/"


def log(spark: SparkSession) -> DataFrame:
    """Patches of quads, one to a partition."""
    return spark.range(0, ROWS, 1, FILES).selectExpr(
        "IF(id % 5 = 4, 'D', 'A') AS op",
        f"CONCAT('<{EX}s', id % 1000, '>') AS subject",
        f"CONCAT('<{EX}p#', id % 7, '>') AS predicate",
        "CONCAT('\"value ', id, '\"') AS object",
        f"IF(id % 2 = 0, NULL, '<{EX}g>') AS graph",
    )


def executors_with_tasks(spark: SparkSession) -> int:
    """How many executors, the driver not counted, have ended tasks."""
    context: Any = spark.sparkContext
    context._jsc.sc().listenerBus().waitUntilEmpty()
    found = context._jsc.sc().statusStore().executorList(False)
    summaries = [found.apply(i) for i in range(found.size())]
    return sum(summary.id() != "driver" and summary.completedTasks() > 0 for summary in summaries)


def main(folder: str) -> None:
    spark = SparkSession.builder.appName("round trip").getOrCreate()
    written = log(spark)
    written.write.format("jelly_patch").save(folder)
    found = spark.read.format("jelly_patch").load(folder)
    columns = written.columns
    print(found.select("_metadata.file_name").distinct().count())
    print(found.count())
    missing = written.exceptAll(found.select(columns)).count()
    added = found.select(columns).exceptAll(written).count()
    print(missing + added)
    print(executors_with_tasks(spark))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
