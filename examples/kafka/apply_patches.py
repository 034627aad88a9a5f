"""Apply patches from a Kafka topic, in order, to a Delta table of the current statements.

The program runs until it is stopped. When it is started again, it continues from the checkpoint.
Run it as:

    python apply_patches.py localhost:9092 patches /data/statements /data/checkpoint
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark

CREATE = """CREATE TABLE IF NOT EXISTS delta.`{table}`
    (subject STRING, predicate STRING, object STRING, graph STRING) USING delta"""

MERGE = """MERGE INTO delta.`{table}` AS old USING {changes} AS new
    ON old.subject = new.subject AND old.predicate = new.predicate
        AND old.object = new.object AND old.graph <=> new.graph
    WHEN MATCHED AND new.op = 'D' THEN DELETE
    WHEN NOT MATCHED AND new.op = 'A' THEN INSERT *"""


def apply_patches(messages: DataFrame, table: str) -> None:
    """Apply the patches of a batch to the table. Applying them again changes nothing."""
    rows = messages.selectExpr("partition", "offset", "inline(from_jelly_patch(value))")
    aborted = rows.where("op = 'TA'").select("partition", "offset", "tx")
    changes = rows.where("op IN ('A', 'D')").join(aborted, aborted.columns, "left_anti")
    statement = changes.groupBy("subject", "predicate", "object", "graph")
    last = statement.agg(F.max_by("op", F.struct("offset", "seq")).alias("op"))
    messages.sparkSession.sql(MERGE.replace("{table}", table), changes=last)


def read(spark: SparkSession, servers: str, topic: str, **options: str) -> DataFrame:
    """Read the messages of a topic from its beginning."""
    source = spark.readStream.format("kafka").option("kafka.bootstrap.servers", servers)
    source = source.option("subscribe", topic).option("startingOffsets", "earliest")
    return source.options(**options).load()


def main(servers: str, topic: str, table: str, checkpoint: str) -> None:
    """Keep the table up to date until the program is stopped."""
    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    spark.sql(CREATE.replace("{table}", table))
    stream = read(spark, servers, topic).writeStream.option("checkpointLocation", checkpoint)
    stream.foreachBatch(lambda batch, _: apply_patches(batch, table)).start().awaitTermination()


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("SERVERS", "TOPIC", "TABLE", "CHECKPOINT"):
        parser.add_argument(name)
    main(*vars(parser.parse_args()).values())
