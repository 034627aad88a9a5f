"""Numbering of rows in one order: they are in one partition, where windows number them.

Spark has no window over a whole DataFrame that does not log a warning, because it cannot know that
the rows are meant to be in one partition. So they are moved there first, and the windows are over
each partition, of which there is one. No row has to be in memory: sorts and windows spill to disk.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import IN_ORDER, PATCH_ROW

WHOLE = "_whole"
"""The column that `in_one_partition` adds: windows over all rows are partitioned by it.

Its value is the number of the partition, so it is 0 in all rows. A constant will not do, because
Spark would drop it from the window.
"""


def in_one_partition(rows: DataFrame) -> DataFrame:
    """Return rows in a single partition, with the column `WHOLE`."""
    return rows.repartition(1).withColumn(WHOLE, F.spark_partition_id())


def numbered(rows: DataFrame, order: Sequence[str], patch: Sequence[str]) -> DataFrame:
    """Return rows sorted in one partition, with the ordinals `patch`, `tx` and `seq` of one file.

    Args:
        rows: from `in_one_partition`, with the columns of the patch formats. `tx` is null outside
            transactions; it may be set in rows after a patch that leaves a transaction open, and
            becomes null there.
        order: the columns to sort by.
        patch: the columns that identify a patch. Sorted by `order`, the rows of a patch are next to
            each other, and the patches are in the order of these columns.
    """
    whole = Window.partitionBy(WHOLE)
    window = whole.orderBy(*order)
    so_far = window.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    is_begin, of_patch = F.col("op") == "TX", F.struct(*patch)
    begun: Column = F.sum(is_begin.cast("bigint")).over(so_far)
    begun_in = F.last(F.when(is_begin, of_patch), ignorenulls=True).over(so_far)
    ordinals = {
        "patch": (F.dense_rank().over(whole.orderBy(*patch)) - 1).cast("bigint"),
        "tx": F.when(F.col("tx").isNotNull() & (begun_in == of_patch), begun - 1),
    }
    seq = (F.row_number().over(window) - 1).cast("bigint").alias("seq", metadata=IN_ORDER)
    others = (ordinals.get(name, F.col(name)).alias(name) for name in PATCH_ROW[:-1])
    return rows.select(*others, seq)
