"""The one shuffle of the algebra: rows of equal statements come together."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PLACE, STATEMENT

HASH = "_hash"

STATEMENT_KEY = (HASH, *STATEMENT)
"""What rows are grouped by that `together` returned.

The hash comes first: to sort by a number and break ties by strings is faster than to sort by
strings. It decides nothing by itself, so statements that collide stay apart.
"""


def together(rows: DataFrame) -> DataFrame:
    """Shuffle rows so that those of a statement are in one partition.

    The whole statement is hashed: neither a frequent subject nor a frequent predicate makes a
    partition larger than others. Without this, Spark would aggregate before the shuffle too, in
    vain where a statement is in each input once.
    """
    return rows.withColumn(HASH, F.xxhash64(*STATEMENT)).repartition(F.col(HASH))


def last_changes(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return each statement once, with `op`, its last change, and `was_there`.

    Args:
        before: the statements before, or None if there are none.
        rows: the changes that count.

    Returns:
        `op` is null for statements that did not change.
    """
    changes = rows.where(F.col("op").isin("A", "D")).select(*STATEMENT, *PLACE, "op")
    if before is not None:
        changes = changes.unionByName(before, allowMissingColumns=True)
    last = (
        together(changes)
        .groupBy(*STATEMENT_KEY)
        .agg(
            F.max_by("op", F.struct(*PLACE)).alias("op"),
            F.bool_or(F.col("op").isNull()).alias("was_there"),
        )
    )
    return last.drop(HASH)
