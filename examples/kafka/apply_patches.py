"""Apply patches from a Kafka topic, in order, to a log, which has the name of the topic.

The program runs until it is stopped. When it is started again, it continues from the checkpoint.
Run it as:

    python apply_patches.py localhost:9092 patches /data/logs /data/checkpoint
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter

from pyspark.sql import DataFrame, SparkSession

import jelly_spark


def read(spark: SparkSession, servers: str, topic: str, **options: str) -> DataFrame:
    """Read the rows of the patches of a topic from its beginning."""
    source = spark.readStream.format("kafka").option("kafka.bootstrap.servers", servers)
    source = source.option("subscribe", topic).option("startingOffsets", "earliest")
    messages = source.options(**options).load()
    return messages.selectExpr(
        "struct(partition, offset) AS log_seq", "inline(from_jelly_patch(value))"
    )


def main(servers: str, topic: str, logs: str, checkpoint: str) -> None:
    """Keep the log up to date until the program is stopped."""
    builder = SparkSession.builder.config("spark.sql.catalog.logs", "org.jellyspark.LogCatalog")
    builder = builder.config("spark.sql.catalog.logs.path", logs)
    spark = jelly_spark.configure(builder).getOrCreate()
    spark.sql(f"CREATE TABLE IF NOT EXISTS logs.`{topic}`")
    stream = read(spark, servers, topic).writeStream.option("checkpointLocation", checkpoint)
    stream.toTable(f"logs.`{topic}`").awaitTermination()


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("SERVERS", "TOPIC", "LOGS", "CHECKPOINT"):
        parser.add_argument(name)
    main(*vars(parser.parse_args()).values())
