"""Run in a process of its own, to be killed: copies each format from files to a file sink.

    stream.py FOLDER ROUND FORMAT...

Where a value names this round, its task touches `FOLDER/FORMAT.held` and waits for ever. At the
end, prints a line for each format: JSON of the objects that a reader of the sink finds.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark


def session() -> SparkSession:
    builder = SparkSession.builder.master("local[8]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.log.level", "ERROR").config("spark.sql.shuffle.partitions", "2")
    return jelly_spark.configure(builder).getOrCreate()


def held(frame: DataFrame, mark: Path, round: str) -> DataFrame:
    """Hold the task that comes to a value that names the round."""

    def hold(text: str | None) -> str | None:
        while text is not None and f"hold {round}." in text:
            mark.touch()
            time.sleep(1)
        return text

    return frame.withColumn("object", F.udf(hold, useArrow=False)("object"))


def copy(spark: SparkSession, folder: Path, format: str, round: str) -> Any:
    """Start to write all that is there now and was not written yet."""
    source = folder / f"{format}.in"
    schema = spark.read.format(format).load(str(source)).schema
    frame = spark.readStream.format(format).schema(schema).load(str(source))
    return (
        held(frame, folder / f"{format}.held", round)
        .writeStream.format(format)
        .option("checkpointLocation", str(folder / f"{format}.checkpoint"))
        .trigger(availableNow=True)
        .start(str(folder / f"{format}.out"))
    )


def main(folder: Path, round: str, formats: list[str]) -> None:
    spark = session()
    # All at once: the process is killed while each is in the middle of a batch.
    for query in [copy(spark, folder, format, round) for format in formats]:
        query.awaitTermination()
    for format in formats:
        found = spark.read.format(format).load(str(folder / f"{format}.out"))
        rows = found.where("object IS NOT NULL").select("object").collect()
        print(json.dumps([row.object for row in rows]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
