"""Submitted: writes one big patch in one task, reads it in one, and prints what came of it.

    big_patch.py FOLDER STREAM_TYPE ROWS

Prints the executors' memory, the number of partitions with rows, of rows, of patches, and whether
the rows are the same, in the same order.
"""

import sys
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import spark_partition_id

EX = "http://example.org/"


def big_patch(spark: SparkSession, rows: int) -> DataFrame:
    """One patch, in one partition."""
    return spark.range(0, rows, 1, 1).selectExpr(
        "'A' AS op",
        f"CONCAT('<{EX}station/', id, '>') AS subject",
        f"CONCAT('<{EX}property#', id % 20, '>') AS predicate",
        "CONCAT('\"', id % 977, '\"^^<http://www.w3.org/2001/XMLSchema#integer>') AS object",
        f"CONCAT('<{EX}graph/', id DIV 1000, '>') AS graph",
        "0L AS patch",
        "id AS seq",
    )


def fingerprint(frame: DataFrame) -> Any:
    """A sum over all rows, each with its place."""
    columns = "op, subject, predicate, object, graph, seq"
    return frame.selectExpr(f"SUM(CAST(XXHASH64({columns}) AS DECIMAL(38, 0)))").first()


def main(folder: str, stream_type: str, rows: int) -> None:
    spark = SparkSession.builder.appName("big patch").getOrCreate()
    written = big_patch(spark, rows)
    # Without restart points, at which tasks would share the file.
    options = {"streamType": stream_type, "restartInterval": "0"}
    written.write.format("jelly_patch").options(**options).save(folder)
    found = spark.read.format("jelly_patch").load(folder)
    print(spark.conf.get("spark.executor.memory"))
    print(found.select(spark_partition_id()).distinct().count())
    print(found.where("op = 'A'").count())
    print(found.select("patch").distinct().count())
    print(fingerprint(found.where("op = 'A'")) == fingerprint(written))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
