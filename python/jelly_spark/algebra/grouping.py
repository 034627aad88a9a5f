"""The one shuffle of the algebra, which brings rows with the same statement together."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import PLACE, STATEMENT

# The position of a row in the log as one number, which orders rows by `log_seq` and `seq`: both are
# bigints, and -1 stands for null.
_LOG_SEQ, _SEQ = (f"CAST(coalesce({name}, -1) AS DECIMAL(19, 0))" for name in PLACE)
_PLACE = f"{_LOG_SEQ} * {1 << 63} + {_SEQ}"


def together(rows: DataFrame, key: tuple[str, ...] = STATEMENT) -> DataFrame:
    """Shuffle rows by statement, so that equal statements are in the same partition.

    The hash of the whole statement selects the partition, so a frequent subject or predicate causes
    no skew. The explicit shuffle also keeps Spark from aggregating before it, which does not pay
    off when each input has a statement only once.
    """
    return rows.repartition(*key)


def keyed(rows: DataFrame) -> DataFrame:
    """Shuffle rows by statement, with a struct `statement` in place of its columns.

    Spark copies a struct as one block of bytes instead of term by term.
    """
    others = (name for name in rows.columns if name not in STATEMENT)
    statement = f"struct({', '.join(STATEMENT)}) AS statement"
    return together(rows.selectExpr(statement, *others), ("statement",))


def grouped(rows: DataFrame, *aggregates: Column) -> DataFrame:
    """Return a row for each statement of `keyed` rows, with aggregates: numbers or booleans.

    Such aggregates allow hash aggregation, which is faster than sort aggregation.
    """
    groups = rows.groupBy("statement").agg(*aggregates)
    return groups.select("statement.*", *groups.columns[1:])


def last_changes(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return each statement once, with its last change.

    Returns:
        A DataFrame with the columns of a statement; `op` of its last change, null if it was not
        changed; and `was_there`, whether `before` has it.
    """
    changes = rows.where("op IN ('A', 'D')").selectExpr(
        *STATEMENT, *(f"CASE op WHEN '{op}' THEN {_PLACE} END AS {op}" for op in ("A", "D"))
    )
    if before is not None:
        changes = changes.unionByName(before, allowMissingColumns=True)
    last = grouped(
        keyed(changes),
        F.expr("max(A) AS A"),
        F.expr("max(D) AS D"),
        F.expr("bool_or(A IS NULL AND D IS NULL) AS was_there"),
    )
    op = "CASE WHEN A > D THEN 'A' WHEN D IS NOT NULL THEN 'D' WHEN A IS NOT NULL THEN 'A' END"
    return last.selectExpr(*STATEMENT, f"{op} AS op", "was_there")
