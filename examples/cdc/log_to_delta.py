"""Change data capture: keep two Delta tables up to date with a log.

    python examples/cdc/log_to_delta.py LOG TABLES CHECKPOINT

LOG is the folder of a log. TABLES is the absolute path or the URL of a folder for two tables, which
the first run creates: `state` has the current statements, and `changes` has a row for each
statement and patch that really changed it. CHECKPOINT is the folder of the stream's checkpoint.
Each run processes the patches that are new since the last run.

The stream of files only tells how far the log has come. The log gives the order of its patches, and
the tables tell how far they are. So a micro-batch can be repeated, the checkpoint can be lost, and
the program can be killed at any point.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from jelly_spark import Log, algebra

STATEMENT = "subject STRING, predicate STRING, object STRING, graph STRING"

CREATE = (
    f"CREATE TABLE IF NOT EXISTS delta.`{{tables}}/state` ({STATEMENT}) USING delta",
    f"""CREATE TABLE IF NOT EXISTS delta.`{{tables}}/changes`
        ({STATEMENT}, change STRING, patch_id STRING, prev STRING, log_seq BIGINT, tx BIGINT,
        seq BIGINT, batch_end BIGINT COMMENT 'log_seq of the last patch of the micro-batch')
        USING delta""",
)

MERGE = """MERGE INTO delta.`{tables}/state` AS old USING (
        SELECT subject, predicate, object, graph, max_by(change, log_seq) AS change
        FROM delta.`{tables}/changes`
        WHERE batch_end = (SELECT max(batch_end) FROM delta.`{tables}/changes`)
        GROUP BY ALL
    ) AS new
    ON old.subject = new.subject AND old.predicate = new.predicate
        AND old.object = new.object AND old.graph <=> new.graph
    WHEN MATCHED AND change = 'D' THEN DELETE
    WHEN NOT MATCHED AND change = 'A' THEN INSERT *"""


def capture(ids: DataFrame, path: str, tables: str) -> None:
    """Add the patches of the log, up to the last one of a micro-batch, to both tables.

    Args:
        ids: the `id` headers of the patches in the micro-batch.
        path: the folder of the log.
        tables: the folder of the tables.
    """
    spark = ids.sparkSession
    log = Log(path, spark)
    versions = log.versions()
    found = {row.value for row in ids.collect()}
    end = max(version.log_seq for version in versions if version.id in found)
    changes = spark.read.format("delta").load(f"{tables}/changes")
    done = changes.agg(F.max("batch_end")).collect()[0][0]
    if done is None or done < end:
        new = log.read(None if done is None else versions[done].id, versions[end].id)
        append(algebra.changes(new, spark.table(f"delta.`{tables}/state`")), tables, end)
        merge(spark, tables)


def append(changes: DataFrame, tables: str, end: int) -> None:
    """Append to the table of changes. If two runs do so at once, Delta accepts only one."""
    rows = changes.withColumn("batch_end", F.lit(end).cast("bigint"))
    writer = rows.write.format("delta").mode("append")
    writer.options(txnAppId="log_to_delta", txnVersion=end).save(f"{tables}/changes")


def merge(spark: SparkSession, tables: str) -> None:
    """Apply the last micro-batch in the table of changes to the state. Repeating it is harmless."""
    spark.sql(MERGE.replace("{tables}", tables))


def follow(spark: SparkSession, log: str, tables: str, checkpoint: str, **options: int) -> None:
    """Process all new patches. Options are those of the stream, such as `maxFilesPerTrigger`."""
    for statement in CREATE:
        spark.sql(statement.replace("{tables}", tables))
    merge(spark, tables)  # what a killed run appended but did not merge
    stream = jelly_spark.read_stream(spark, "jelly_patch", log, **options)
    ids = stream.where("op = 'H' AND name = 'id'").writeStream
    ids = ids.foreachBatch(lambda batch, _: capture(batch, log, tables))
    ids = ids.option("checkpointLocation", checkpoint).trigger(availableNow=True)
    ids.start().awaitTermination()


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("LOG", "TABLES", "CHECKPOINT"):
        parser.add_argument(name)
    paths = vars(parser.parse_args()).values()
    builder = jelly_spark.configure(SparkSession.builder)
    follow(builder.getOrCreate(), *paths)
