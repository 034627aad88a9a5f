"""Queries on a patch log that use only DataFrame operations."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

STATEMENT = ["subject", "predicate", "object", "graph"]
"""The columns of a statement."""


def summarize(log: DataFrame) -> DataFrame:
    """Return one row per patch, with its headers `id` and `prev`, and its numbers of rows by kind.

    Args:
        log: the rows of one file, as `spark.read.format("jelly_patch")` returns them.
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
    """Return the statements after a log that begins with no statements.

    These are the statements whose last change is an `A`. Changes in aborted transactions are
    ignored.

    Args:
        log: the rows of one file, or of its first patches, as `spark.read.format("jelly_patch")`
            returns them.
    """
    aborted = log.where("op = 'TA'").select("tx")
    changes = log.where("op IN ('A', 'D')").join(aborted, "tx", "left_anti")
    last = changes.groupBy(STATEMENT).agg(F.max_by("op", "seq").alias("last"))
    return last.where("last = 'A'").select(STATEMENT)
