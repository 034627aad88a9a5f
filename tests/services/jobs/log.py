"""Run in a process of its own: a log in a table of Delta.

Prints, as JSON, what is found out about it.
"""

import json
from datetime import timedelta
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from jelly_spark import Log, algebra
from jelly_spark.codec import PatchRow
from jelly_spark.errors import JellySparkError
from tests.log.patches import headers, id_of, patch


def error_of(call: Any, *arguments: Any) -> str:
    """The error that a call must raise."""
    try:
        call(*arguments)
    except (JellySparkError, PySparkException) as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError("no error")


def ask(spark: SparkSession, table: str) -> dict[str, Any]:
    """Fill a log, and ask it what there is to ask."""
    log = Log.delta(spark, table)
    found: dict[str, Any] = {"empty": [log.head(), log.state_at().count(), log.verify()]}
    log.append(patch(0, add=["a", "b"]))
    columns = log.state_at().schema
    after = spark.createDataFrame([("<urn:s>", "<urn:p>", '"c"', None)], columns)
    log.append(algebra.diff(log.state_at(), after, id=id_of(1), prev=id_of(0)))
    last = log.append(patch(2, 1, add=["d"]))
    again = Log.delta(spark, table)
    found["versions"] = [(version.id, version.log_seq) for version in again.versions()]
    found["states"] = [
        sorted(row.object for row in again.state_at(id_of(number)).collect()) for number in range(3)
    ]
    assert last.time is not None
    found["times"] = [
        again.state_at(last.time + timedelta(days=days)).count() for days in (-1, 0, 1)
    ]
    between = again.between(id_of(0), id_of(2)).orderBy("seq").collect()
    found["between"] = [(row.op, row.object) for row in between if row.op in ("A", "D")]
    found["history"] = again.history(F.col("object") == '"a"').count()
    found["read"] = [row.log_seq for row in again.read(id_of(0)).where("op = 'TX'").collect()]
    found["errors"] = [
        error_of(log.append, patch(9, 0)),
        error_of(log.append, after),
        error_of(log.compact),
        error_of(log.append, patch(9, 2)[2:]),
    ]
    # A program that does not know whether it succeeded repeats what it did.
    found["repeated"] = [
        log.append(patch(0, add=["a", "b"])) == log.versions()[0],
        log.append(log.read(None, id_of(0)).drop("log_seq")).id,
        error_of(log.append, patch(0, add=["a"])),
        error_of(log.append, patch(0, 2)),
        len(log.versions()),
    ]
    spark.table(log.versions()[0].file).where("log_seq = 1").withColumn(
        "log_seq", F.lit(7).cast("bigint")
    ).write.format("delta").mode("append").saveAsTable(log.versions()[0].file)
    found["findings"] = [finding.rule for finding in again.verify()]
    return found


def numbered(spark: SparkSession, rows: list[PatchRow]) -> DataFrame:
    """The rows with `seq`, and with `tx` null everywhere."""
    found = [row._replace(seq=seq) for seq, row in enumerate(rows)]
    return spark.createDataFrame(found, jelly_spark.schema("jelly_patch"))


def ask_checks(spark: SparkSession, table: str) -> dict[str, Any]:
    """Append DataFrames of which only the last one is a patch."""
    log = Log.delta(spark, table)
    add = PatchRow("A", "<urn:s>", "<urn:p>", '"a"')
    begin, abort, end = PatchRow("TX"), PatchRow("TA"), PatchRow("END")
    refused = {
        "open": [*headers(0), begin, add],
        "nested": [*headers(0), begin, begin, abort],
        "not begun": [*headers(0), add, abort],
        "op": [*headers(0), add._replace(op="ADD")],  # type: ignore[arg-type]
        "no object": [*headers(0), add._replace(object=None)],
        "term": [*headers(0), add._replace(graph="oops")],
        "two": [*headers(0), end, add],
    }
    found: dict[str, Any] = {
        name: error_of(log.append, numbered(spark, rows)) for name, rows in refused.items()
    }
    frame = numbered(spark, [*headers(0), add])
    found["repeated"] = error_of(log.append, frame.withColumn("seq", F.lit(1)))
    found["null"] = error_of(log.append, frame.withColumn("seq", F.lit(None)))
    found["versions"] = len(log.versions())
    rows = [
        PatchRow("H", name="id", value=r"<urn:patch:\u0030>"),
        add._replace(object=r'"\u0061"', graph="<urn:g>"),
        begin._replace(subject="oops"),
        add,
        abort,
        end,
    ]
    frame = numbered(spark, rows)
    found["appended"] = [log.append(frame).id, log.append(frame).id, len(log.versions())]
    found["rows"] = log.read().orderBy("seq").select("op", "object", "tx").collect()
    found["state"] = [row[:] for row in log.state_at().collect()]
    return found


def ask_removed(spark: SparkSession, table: str) -> list[str | None]:
    """Append after the last patch was deleted, and after it was restored."""
    log = Log.delta(spark, table)
    log.append(patch(0, add=["a"]))
    spark.sql(f"DELETE FROM {table}")
    found = [log.head(), error_of(log.append, patch(1, add=["b"]))]
    spark.sql(f"RESTORE TABLE {table} TO VERSION AS OF 1")
    return [*found, log.append(patch(1, 0, add=["b"])).id]


def main() -> None:
    """Append, and print what there is then."""
    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    found = {
        "table": ask(spark, "changes"),
        "checks": ask_checks(spark, "checked"),
        "removed": ask_removed(spark, "removed"),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
