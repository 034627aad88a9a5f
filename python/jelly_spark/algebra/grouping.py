"""The one shuffle of the algebra: rows of equal statements come together."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PLACE, STATEMENT


def together(rows: DataFrame) -> DataFrame:
    """Shuffle rows so that those of a statement are in one partition.

    The whole statement decides on the partition: neither a frequent subject nor a frequent
    predicate makes one larger than others. Without this, Spark would aggregate before the shuffle
    too, in vain where a statement is in each input once.
    """
    return rows.repartition(*STATEMENT)


def by_statement(rows: DataFrame, *aggregates: Column) -> DataFrame:
    """Return a row for each statement, with aggregates that are numbers or truth values.

    Such aggregates fit into a hash map, which takes less time than to sort the rows. Where all keys
    are strings, Spark puts a smaller map before it, which takes a quarter more time if most
    statements are different: so the graph is binary meanwhile.
    """
    keyed = rows.withColumn("graph", F.col("graph").cast("binary"))
    grouped = together(keyed).groupBy(*STATEMENT).agg(*aggregates)
    return grouped.withColumn("graph", F.col("graph").cast("string"))


def last_changes(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return each statement once, with `op`, its last change, and `was_there`.

    Args:
        before: the statements before, or None if there are none.
        rows: the changes that count.

    Returns:
        `op` is null for statements that did not change.
    """
    ops = ("A", "D")
    changes = rows.where(F.col("op").isin(*ops)).select(
        *STATEMENT, *(F.when(F.col("op") == op, _place()).alias(op) for op in ops)
    )
    if before is not None:
        changes = changes.unionByName(before, allowMissingColumns=True)
    is_before = F.col("A").isNull() & F.col("D").isNull()
    last = by_statement(
        changes, *(F.max(op).alias(op) for op in ops), F.bool_or(is_before).alias("was_there")
    )
    added, deleted = F.col("A"), F.col("D")
    op = F.when(added > deleted, "A").when(deleted.isNotNull(), "D").when(added.isNotNull(), "A")
    return last.select(*STATEMENT, op.alias("op"), "was_there")


def _place() -> Column:
    """Return the place of a row in the log as one number, for any `log_seq` and `seq`."""
    log_seq, seq = (F.coalesce(name, F.lit(-1)).cast("decimal(19,0)") for name in PLACE)
    return log_seq * F.lit(str(1 << 63)).cast("decimal(19,0)") + seq
