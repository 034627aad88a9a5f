"""Run in a process of its own: keeps the state of a log in a table of Delta.

    follow.py FOLDER BATCH

Applies the patches in `FOLDER/log`, two files a micro-batch. The first run fails in micro-batch
BATCH, when it was merged; the second goes on. Prints, as JSON: the numbers of the micro-batches
that were merged, and the statements of the table.
"""

import json
import sys
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

import jelly_spark

LAST = """
    CREATE OR REPLACE TEMPORARY VIEW last AS
    SELECT subject, predicate, object, graph, max_by(op, struct(file_name, seq)) AS op
    FROM changes
    LEFT ANTI JOIN (SELECT file_name, tx FROM changes WHERE op = 'TA') USING (file_name, tx)
    WHERE op IN ('A', 'D')
    GROUP BY subject, predicate, object, graph
"""

MERGE = """
    MERGE INTO state USING last
    ON state.subject = last.subject AND state.predicate = last.predicate
      AND state.object = last.object AND state.graph <=> last.graph
    WHEN MATCHED AND op = 'D' THEN DELETE
    WHEN NOT MATCHED AND op = 'A' THEN INSERT *
"""


def follow(spark: SparkSession, folder: Path, failing: int | None) -> list[int]:
    """Apply what is new; return the numbers of the micro-batches that were merged."""
    merged = []

    def merge(batch: DataFrame, number: int) -> None:
        batch.createOrReplaceTempView("changes")
        batch.sparkSession.sql(LAST)
        batch.sparkSession.sql(MERGE)
        merged.append(number)
        if number == failing:
            raise RuntimeError("the table is merged, and Spark does not know")

    stream = jelly_spark.read_stream(
        spark, "jelly_patch", folder / "log", maxFilesPerTrigger=2
    ).select("*", "_metadata.file_name")
    writer = stream.writeStream.foreachBatch(merge)
    writer = writer.option("checkpointLocation", str(folder / "checkpoint"))
    try:
        writer.trigger(availableNow=True).start().awaitTermination()
    except PySparkException as error:
        assert failing is not None and "Spark does not know" in str(error)
    return merged


def main(folder: Path, failing: int) -> None:
    """Fail, go on, and print what there is then."""
    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    spark.sql(
        "CREATE TABLE state (subject STRING, predicate STRING, object STRING, graph STRING) "
        f"USING delta LOCATION '{folder / 'state'}'"
    )
    merged = follow(spark, folder, failing) + follow(spark, folder, None)
    rows = spark.table("state").collect()
    print(json.dumps({"merged": merged, "state": [tuple(row) for row in rows]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
