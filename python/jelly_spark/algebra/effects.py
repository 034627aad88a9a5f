"""What the changes of a log did: which of them made a statement come or go."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import LOG_ROW, PLACE, STATEMENT
from jelly_spark.algebra.findings import finding
from jelly_spark.algebra.grouping import together
from jelly_spark.patches.rules import ADD_WITHOUT_EFFECT, DELETE_WITHOUT_EFFECT

_HASH = "_hash"
"""The hash of a statement, which decides nothing by itself: statements that collide stay apart."""


def in_order() -> WindowSpec:
    """Return the window of a statement's changes; what was there before them comes first.

    To sort by a number and break ties by strings is faster than to sort by strings.
    """
    return Window.partitionBy(_HASH, *STATEMENT).orderBy(*PLACE)


def transitions(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return what made statements come (`A`) and go (`D`), at most one row for each patch.

    Whether a statement is there is compared before and after each patch: a patch that adds and
    deletes it again changes nothing.

    Args:
        before: the statements before, or None if there are none.
        rows: the changes that count.

    Returns:
        The columns `LOG_ROW` and the hash. A statement that was there before comes with an `A`
        whose `log_seq` is null.
    """
    window = in_order()
    patch = F.struct("log_seq", "patch")
    is_last_of_patch = ~F.lead(patch).over(window).eqNullSafe(patch)
    last = _together(before, rows).withColumn("_is_last", is_last_of_patch).where("_is_last")
    return (
        last.withColumn("_was_there", _was_there())
        .where((F.col("op") == "A") != F.col("_was_there"))
        .select(*LOG_ROW, _HASH)
    )


def without_effect(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return findings: adds of statements that are there, and deletes of those that are not.

    Args:
        before: the statements before, or None if there are none.
        rows: the changes that count.
    """
    is_add = F.col("op") == "A"
    found = _together(before, rows).withColumn("_was_there", _was_there())
    found = found.where((is_add == F.col("_was_there")) & F.col("log_seq").isNotNull())
    statement = F.concat_ws(" ", *STATEMENT)
    add, delete = finding(ADD_WITHOUT_EFFECT, statement), finding(DELETE_WITHOUT_EFFECT, statement)
    return found.select(F.when(is_add, add).otherwise(delete).alias("finding")).select("finding.*")


def _together(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    changes = rows.where(F.col("op").isin("A", "D"))
    if before is not None:
        there = before.withColumn("op", F.lit("A"))
        changes = changes.unionByName(there, allowMissingColumns=True)
    return together(changes).withColumn(_HASH, F.xxhash64(*STATEMENT))


def _was_there() -> Column:
    return F.coalesce(F.lag("op").over(in_order()) == "A", F.lit(False))
