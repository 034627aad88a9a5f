"""Keep the state of a log up to date, and write which statements each new file adds and removes.

    python examples/streaming/state.py LOG CHANGES CHECKPOINT

LOG is a folder of Jelly-Patch files, whose names are in the order of the patches: 000001.jellyp,
000002.jellyp and so on. Each run applies the new files to the state, which Spark keeps in
CHECKPOINT, and writes the changes of the state to the folder CHANGES. Then it prints the number of
statements.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

import jelly_spark

STATEMENT = ["subject", "predicate", "object", "graph"]

ABORTED = "the log has an aborted transaction: its changes must not count"


class Presence(StatefulProcessor):
    """Keeps the last change of a statement, and returns it if it added or removed the statement."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state: the place (file and `seq`) and the `op` of the last change."""
        self.last = handle.getValueState("last", "file string, seq long, op string")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:
        """Process the changes of one statement in a micro-batch."""
        known = self.last.get() or ("", -1, "D")
        # The rows of a micro-batch are in no order, and the files are not always in order either.
        last = max(known, *((row.file, row.seq, row.op) for row in rows))
        if last != known:
            self.last.update(last)
        if last[-1] != known[-1]:
            yield Row(op=last[-1], **dict(zip(STATEMENT, key, strict=True)))

    def close(self) -> None:
        """Do nothing."""


def changes(log: DataFrame) -> DataFrame:
    """Return the statements that are added ("A") and removed ("D"), once each per micro-batch.

    Args:
        log: a stream of patches.
    """
    aborted = F.when(F.col("op") == "TA", F.raise_error(F.lit(ABORTED)))
    rows = (
        log.where("op IN ('A', 'D', 'TA')")
        .withColumn("op", F.coalesce(aborted, "op"))
        .select("op", *STATEMENT, "seq", F.col("_metadata.file_name").alias("file"))
    )
    return rows.groupBy(STATEMENT).transformWithState(
        Presence(),
        outputStructType=f"op string, {', '.join(f'{name} string' for name in STATEMENT)}",
        outputMode="Append",
        timeMode="None",
    )


def state(spark: SparkSession, checkpoint: str) -> DataFrame:
    """Return the statements after the last micro-batch."""
    last = spark.read.format("statestore").option("stateVarName", "last").load(checkpoint)
    return last.where("value.op = 'A'").select("key.*")


def main(log: str, target: str, checkpoint: str) -> None:
    """Process the new files, and print the number of statements."""
    builder = SparkSession.builder.config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    spark = jelly_spark.configure(builder).getOrCreate()
    stream = changes(jelly_spark.read_stream(spark, "jelly_patch", log))
    query = (
        stream.repartition(1)
        .writeStream.format("jelly_patch")
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start(target)
    )
    query.awaitTermination()
    print(state(spark, checkpoint).count())


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("LOG", "CHANGES", "CHECKPOINT"):
        parser.add_argument(name)
    main(*vars(parser.parse_args()).values())
