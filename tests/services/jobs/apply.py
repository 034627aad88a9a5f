"""Applies patches as the example does, and stops where the test kills it.

    python -m tests.services.jobs.apply SERVERS TOPIC FOLDER PLACE

Keeps two tables in FOLDER: `statements`, which the example's function changes, and `history`, to
which the rows of all patches are appended. PLACE says where in its second batch the program waits
for ever: `between` the changes of both tables, or `after` both. Otherwise it goes on until the file
`finish` is in FOLDER. Then it prints each table as a line of JSON.
"""

import json
import sys
import time
from pathlib import Path

from pyspark.sql import DataFrame

from examples.kafka.apply_patches import CREATE, apply_patches, read
from tests.services.session import start_session


class Batches:
    """What is done with each batch."""

    def __init__(self, folder: Path, place: str) -> None:
        self._folder = folder
        self._place = place
        self._done = 0

    def apply(self, messages: DataFrame, batch: int) -> None:
        """Change both tables. Appending depends on the number of the batch, MERGE does not."""
        with self._folder.joinpath("batches").open("a") as batches:
            print(batch, file=batches)
        apply_patches(messages, str(self._folder / "statements"))
        self._stop_if("between")
        rows = messages.selectExpr("partition", "offset", "inline(from_jelly_patch(value))")
        history = rows.select("partition", "offset", "seq").write.format("delta").mode("append")
        once = history.option("txnAppId", "history").option("txnVersion", batch)
        once.save(str(self._folder / "history"))
        self._stop_if("after")
        self._done += 1

    def _stop_if(self, place: str) -> None:
        if place == self._place and self._done == 1:
            self._folder.joinpath("held").touch()
            time.sleep(3600)


def main(servers: str, topic: str, folder: Path, place: str) -> None:
    spark = start_session()
    spark.sql(CREATE.replace("{table}", str(folder / "statements")))
    messages = read(spark, servers, topic, maxOffsetsPerTrigger="10")
    stream = messages.writeStream.option("checkpointLocation", str(folder / "checkpoint"))
    query = stream.foreachBatch(Batches(folder, place).apply).start()
    while not (folder / "finish").exists() and query.isActive:
        time.sleep(0.1)
    query.processAllAvailable()
    query.stop()
    for table in ("statements", "history"):
        rows = spark.read.format("delta").load(str(folder / table)).collect()
        print(json.dumps([list(row) for row in rows]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4])
