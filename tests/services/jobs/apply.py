"""Applies patches as the example does, in small batches, and ends.

    python -m tests.services.jobs.apply SERVERS TOPIC FOLDER

Writes the log `logs/patches` in FOLDER, until the file `finish` is there and nothing is left to do.
"""

import sys
import time
from pathlib import Path

from examples.kafka.apply_patches import read
from tests.services.session import start_session


def main(servers: str, topic: str, folder: Path) -> None:
    spark = start_session()
    spark.conf.set("spark.sql.catalog.logs", "org.jellyspark.LogCatalog")
    spark.conf.set("spark.sql.catalog.logs.path", str(folder / "logs"))
    spark.sql("CREATE TABLE IF NOT EXISTS logs.patches")
    stream = read(spark, servers, topic, maxOffsetsPerTrigger="5").writeStream
    query = stream.option("checkpointLocation", str(folder / "checkpoint")).toTable("logs.patches")
    while not (folder / "finish").exists() and query.isActive:
        time.sleep(0.1)
    query.processAllAvailable()
    query.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
