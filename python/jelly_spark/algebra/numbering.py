"""The ordinals of rows that become one file: one partition, sorted, numbered by windows."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import IN_ORDER, PATCH_ROW


def numbered(rows: DataFrame, order: Sequence[str], patch: Sequence[str]) -> DataFrame:
    """Return rows in one partition, in an order, with the ordinals that they have in one file.

    Args:
        rows: has the columns of the patch formats; `tx` is null outside transactions, but not where
            one that is open at the end of a patch seems to go on in the next.
        order: what the rows are sorted by.
        patch: what tells the patches apart; `order` begins with it.
    """
    window = Window.orderBy(*order)
    so_far = window.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    is_begin, of_patch = F.col("op") == "TX", F.struct(*patch)
    begun: Column = F.sum(is_begin.cast("bigint")).over(so_far)
    begun_in = F.last(F.when(is_begin, of_patch), ignorenulls=True).over(so_far)
    ordinals = {
        "patch": (F.dense_rank().over(Window.orderBy(*patch)) - 1).cast("bigint"),
        "tx": F.when(F.col("tx").isNotNull() & (begun_in == of_patch), begun - 1),
    }
    seq = (F.row_number().over(window) - 1).cast("bigint").alias("seq", metadata=IN_ORDER)
    others = (ordinals.get(name, F.col(name)).alias(name) for name in PATCH_ROW[:-1])
    return rows.select(*others, seq)
