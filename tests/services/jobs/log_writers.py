"""Run in a process of its own: threads append patches to a log in a table of Delta, all at once.

    log_writers.py WRITERS

Prints, as JSON: the ids that they appended, one each, those of the log, and what `verify` finds.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark import Log
from tests.log.jobs.append import append


def main(writers: int) -> None:
    """Append, and print what there is then."""
    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    path = str(Path("many").resolve())

    def write(name: int) -> str:
        return append(Log.delta(spark, path), f"{name}-0").id

    with ThreadPoolExecutor(writers) as pool:
        ids = [*pool.map(write, range(writers))]
    log = Log.delta(spark, path)
    found = {
        "ids": ids,
        "log": [version.id for version in log.versions()],
        "verify": log.verify(),
        "adds": log.read().where("op = 'A'").count(),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
