"""Change data capture: keep two Delta tables up to date with a log.

    python examples/cdc/log_to_delta.py LOG TABLES CHECKPOINT

LOG is the folder of a log. TABLES is the absolute path or the URL of a folder for two tables, which
are made in the first run: `state` has the statements that are there now, and `changes` has a row
for each statement and patch that really changed it. Each run takes what is new since the last one.

The stream of files says only how far the log has come. The log has the order of its patches, and
the tables know how far they are. So it does no harm to repeat a micro-batch, to lose the
checkpoint, or to be killed at any point.
"""

import sys

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
    """Take the patches of the log up to those of a micro-batch, whose ids are given."""
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
    """Append to the table of changes. Of two runs at once, Delta lets one do so."""
    rows = changes.withColumn("batch_end", F.lit(end).cast("bigint"))
    writer = rows.write.format("delta").mode("append")
    writer.options(txnAppId="log_to_delta", txnVersion=end).save(f"{tables}/changes")


def merge(spark: SparkSession, tables: str) -> None:
    """Bring the state to the end of the table of changes; again, that changes nothing."""
    spark.sql(MERGE.replace("{tables}", tables))


def follow(spark: SparkSession, log: str, tables: str, checkpoint: str, **options: int) -> None:
    """Take all that is new. Options are those of the stream, such as `maxFilesPerTrigger`."""
    for statement in CREATE:
        spark.sql(statement.replace("{tables}", tables))
    merge(spark, tables)  # what a run that was killed appended
    stream = jelly_spark.read_stream(spark, "jelly_patch", log, **options)
    ids = stream.where("op = 'H' AND name = 'id'").writeStream
    ids = ids.foreachBatch(lambda batch, _: capture(batch, log, tables))
    ids = ids.option("checkpointLocation", checkpoint).trigger(availableNow=True)
    ids.start().awaitTermination()


if __name__ == "__main__":
    builder = jelly_spark.configure(SparkSession.builder)
    follow(builder.getOrCreate(), *sys.argv[1:])
