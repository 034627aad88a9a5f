"""The effects of a log's changes: which of them added or removed a statement, and which did not."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import LOG_ROW, PLACE, STATEMENT
from jelly_spark.algebra.findings import finding
from jelly_spark.algebra.grouping import together
from jelly_spark.patches.rules import ADD_WITHOUT_EFFECT, DELETE_WITHOUT_EFFECT

_HASH = "_hash"
"""The hash of a statement. Windows partition by the terms too, so collisions do no harm."""


def in_order() -> WindowSpec:
    """Return the window over the changes of a statement; its row in the state before comes first.

    Sorting by the hash first, with the strings only to break ties, is faster than sorting by
    strings.
    """
    return Window.partitionBy(_HASH, *STATEMENT).orderBy(*PLACE)


def transitions(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return the rows that added (`A`) or removed (`D`) a statement, at most one for each patch.

    The states before and after each patch are compared: a patch that adds a statement and deletes
    it again does not change it.

    Args:
        before: the statements before the changes; None for the empty state.
        rows: the effective changes, as `committed` returns them.

    Returns:
        A DataFrame with the columns `LOG_ROW` and the hash. A statement of `before` has an `A` row
        with a null `log_seq`.
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
    """Return the findings: adds of statements that are present, and deletes of absent ones.

    Args:
        before: the statements before the changes; None for the empty state.
        rows: the effective changes, as `committed` returns them.
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
