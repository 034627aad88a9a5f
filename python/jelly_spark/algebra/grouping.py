"""The one shuffle of the algebra: rows of equal statements come together."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PLACE, STATEMENT

# The place of a row in the log as one number, for any `log_seq` and any `seq` from -1.
_LOG_SEQ, _SEQ = (f"CAST(coalesce({name}, -1) AS DECIMAL(19, 0))" for name in PLACE)
_PLACE = f"{_LOG_SEQ} * {1 << 63} + {_SEQ}"


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
    changes = rows.where("op IN ('A', 'D')").selectExpr(
        *STATEMENT, *(f"CASE op WHEN '{op}' THEN {_PLACE} END AS {op}" for op in ("A", "D"))
    )
    if before is not None:
        changes = changes.unionByName(before, allowMissingColumns=True)
    last = by_statement(
        changes,
        F.expr("max(A) AS A"),
        F.expr("max(D) AS D"),
        F.expr("bool_or(A IS NULL AND D IS NULL) AS was_there"),
    )
    op = "CASE WHEN A > D THEN 'A' WHEN D IS NOT NULL THEN 'D' WHEN A IS NOT NULL THEN 'A' END"
    return last.selectExpr(*STATEMENT, f"{op} AS op", "was_there")
