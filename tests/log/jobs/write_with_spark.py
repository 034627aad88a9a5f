"""Run in a process of its own: a Spark session that writes a log.

    write_with_spark.py SETTINGS TABLE insert NAME
    write_with_spark.py SETTINGS TABLE stream SOURCE CHECKPOINT
    write_with_spark.py SETTINGS TABLE rest SOURCE CHECKPOINT

`insert` inserts statements, one by one, and prints the name of each one that it inserted, until it
is killed. `stream` writes each file of a folder as a micro-batch, and prints the number of each one
that it wrote, until it is killed; `rest` ends when there are no more files. SETTINGS are those of
the session, as JSON.
"""

import json
import sys
import time
from itertools import count

from pyspark.sql import SparkSession

import jelly_spark
from tests.log.patches import id_of, statement
from tests.log.sql.random_statements import values

COLUMNS = "op string, subject string, predicate string, object string"


def insert(spark: SparkSession, table: str, name: str) -> None:
    for number in count():
        row = values([statement(f"{name}-{number}")])
        spark.sql(f"INSERT INTO {table} VALUES {row}")
        print(id_of(f"{name}-{number}"), flush=True)


def stream(spark: SparkSession, table: str, source: str, checkpoint: str, to_end: bool) -> None:
    rows = spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).json(source)
    writer = rows.writeStream.option("checkpointLocation", checkpoint)
    if to_end:
        writer.trigger(availableNow=True).toTable(table).awaitTermination()
        return
    query = writer.toTable(table)
    last = None
    while query.isActive:
        time.sleep(0.1)
        progress = query.lastProgress
        if progress is not None and progress.numInputRows and progress.batchId != last:
            last = progress.batchId
            print(last, flush=True)
    query.awaitTermination()


def main(settings: str, table: str, work: str, *arguments: str) -> None:
    """Write until killed."""
    builder = SparkSession.builder.master("local[1]").config(map=json.loads(settings))
    spark = jelly_spark.configure(builder).getOrCreate()
    spark.sql(f"CREATE TABLE IF NOT EXISTS {table}")
    if work == "insert":
        insert(spark, table, *arguments)
    else:
        source, checkpoint = arguments
        stream(spark, table, source, checkpoint, to_end=work == "rest")


if __name__ == "__main__":
    main(*sys.argv[1:])
