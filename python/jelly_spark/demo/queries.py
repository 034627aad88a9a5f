"""What can be asked of a patch log with plain DataFrame operations."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

STATEMENT = ["subject", "predicate", "object", "graph"]
"""The columns that make up a statement."""


def summarize(log: DataFrame) -> DataFrame:
    """Return a row for each patch: its headers `id` and `prev`, and how many rows of a kind it has.

    Args:
        log: the rows of one file, as `spark.read.format("jelly_patch")` gives them.
    """
    op, name, value = F.col("op"), F.col("name"), F.col("value")
    return log.groupBy("patch").agg(
        F.max(F.when((op == "H") & (name == "id"), value)).alias("id"),
        F.max(F.when((op == "H") & (name == "prev"), value)).alias("prev"),
        F.count_if(op == "D").alias("deletes"),
        F.count_if(op == "A").alias("adds"),
        F.count_if(op == "TC").alias("commits"),
        F.count_if(op == "TA").alias("aborts"),
    )


def replay(log: DataFrame) -> DataFrame:
    """Return the statements that hold after the log: those whose last change is an `A`.

    The changes of aborted transactions do not count. The log starts from nothing.

    Args:
        log: the rows of one file, as `spark.read.format("jelly_patch")` gives them, or of its first
            patches.
    """
    aborted = log.where("op = 'TA'").select("tx")
    changes = log.where("op IN ('A', 'D')").join(aborted, "tx", "left_anti")
    last = changes.groupBy(STATEMENT).agg(F.max_by("op", "seq").alias("last"))
    return last.where("last = 'A'").select(STATEMENT)
