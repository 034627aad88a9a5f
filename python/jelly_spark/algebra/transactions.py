"""The effective changes of a log: those in committed transactions, and those outside any.

Functions of this package take the effective changes, as `committed` returns them, as `rows`, and
the statements or prefixes before them as `before`, which is None for the empty state.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, WindowSpec
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import STATEMENT
from jelly_spark.core.rows import PatchRow
from jelly_spark.core.transactions import TRANSACTION_OPS
from jelly_spark.patches.log_rows import CHANGES, OPEN_RULE, OnOpen, check_on_open

OUTCOME = "_outcome"
"""The column for the outcome of a row's transaction: `TC` or `TA`; null outside transactions."""

_TRANSACTION = ("log_seq", "patch", "tx")
_IS_CHANGE = f"op IN ({', '.join(map(repr, sorted(CHANGES)))})"
_IS_MARK = f"op IN ({', '.join(map(repr, TRANSACTION_OPS))}) AND tx IS NOT NULL"
_CONTENT_OF_TX = [f"CAST(NULL AS STRING) AS {name}" for name in (*STATEMENT, "name", "value")]
_PLACE_RULE = "a row of a patch must have its place: seq, patch and, if there is one, log_seq"
_TX_RULE = "a TX row must have the number of its transaction: tx"
_TWICE_RULE = (
    "a transaction must end once: rows of several files need the column log_seq, which "
    "jelly_spark.read_log adds"
)


def committed(rows: DataFrame, on_open: OnOpen) -> DataFrame:
    """Return the effective changes: the rows `A`, `D`, `PA` and `PD` that take effect.

    These are the changes in committed transactions, and those outside any transaction. The query
    fails if a transaction is open, unless `on_open` is "ignore". It also fails if a transaction
    ends twice, which is a sign of rows from several files without `log_seq`, and if a row lacks its
    place or a `TX` row its `tx`.

    Args:
        rows: the rows of patches, from `patch_rows_of`.
        on_open: "error", or "ignore" to leave open transactions out.

    Raises:
        OptionError: `on_open` is neither.
    """
    closed = closed_rows(rows, on_open)
    counts = F.coalesce(F.col(OUTCOME), F.lit("TC")) == "TC"
    return changes_of(closed.where(counts)).drop(OUTCOME)


def changes_of(rows: DataFrame) -> DataFrame:
    """Return the `A`, `D`, `PA` and `PD` rows."""
    return rows.where(_IS_CHANGE)


def with_places(rows: DataFrame) -> DataFrame:
    """Return the rows; the query fails if one lacks its place, or a `TX` its `tx`."""
    return rows.withColumn("op", F.expr(f"CASE {_refused()} ELSE op END"))


def closed_rows(rows: DataFrame, on_open: OnOpen) -> DataFrame:
    """Return the changes outside transactions and all rows of closed transactions, with `OUTCOME`.

    A transaction ends with its patch: rows of the next patch are outside it, even if `tx` is set.
    The outcomes are broadcast, so the rows are not shuffled. The arguments and errors are those of
    `committed`.
    """
    check_on_open(on_open)
    # The check is part of the outcome, so it does not depend on which changes a query reads.
    refused = f"WHEN _ends > 1 THEN {_refuse(_TWICE_RULE)}"
    rest = f"WHEN _ends IS NULL AND {_IS_CHANGE} THEN op"
    if on_open == "error":
        refused += f" WHEN _ends = 0 THEN {_refuse(OPEN_RULE)}"
        rest = f"ELSE {_refuse(OPEN_RULE)}"
    # The rows are few: in one partition, grouping needs no hash shuffle.
    outcomes = (
        rows.where(_IS_MARK)
        .selectExpr(*_TRANSACTION, "op", "seq", "CASE WHEN op <> 'TX' THEN op END AS _end")
        .repartition(1)
        .groupBy(*_TRANSACTION)
        .agg(
            F.expr("min(_end) AS _end"),
            F.expr("count(_end) AS _ends"),
            F.expr("min(CASE WHEN op = 'TX' THEN seq END) AS seq"),
        )
        .where("seq IS NOT NULL")
        .selectExpr("*", "'TX' AS op", *_CONTENT_OF_TX)
        .selectExpr(*_TRANSACTION, "_ends", f"CASE {refused} ELSE _end END AS {OUTCOME}")
    )
    candidates = rows.where(f"{_IS_CHANGE} OR op = 'TX' OR {_IS_MARK}")
    joined = candidates.join(F.broadcast(outcomes), [*_TRANSACTION], "left")
    # `op` depends on the outcome, so Spark cannot push a filter on it below the join.
    op = f"CASE {_refused()} WHEN tx IS NULL OR _ends = 1 THEN op {rest} END"
    return (
        joined.withColumn("op", F.expr(op)).where("op IS NOT NULL").select(*rows.columns, OUTCOME)
    )


def is_open(marks: WindowSpec) -> Column:
    """Return whether a transaction is open before a `TX`, `TC` or `TA`.

    Args:
        marks: a window over only these rows, in order.
    """
    return F.coalesce(F.lag("op").over(marks) == "TX", F.lit(False))


def refusal(rule: str) -> str:
    """Return SQL for the message of `PatchError` in plain Python: a rule and the row at fault."""
    return f"concat('{rule}; in row ', to_json(struct({', '.join(PatchRow._fields)})))"


def _refuse(rule: str) -> str:
    """Return SQL for a string that makes the query fail when it is evaluated."""
    return f"CAST(raise_error({refusal(rule)}) AS STRING)"


def _refused() -> str:
    """Return the first cases of a new value for `op`, in SQL: the rows that make the query fail."""
    return (
        f"WHEN log_seq IS NULL OR patch IS NULL OR seq IS NULL THEN {_refuse(_PLACE_RULE)} "
        f"WHEN op = 'TX' AND tx IS NULL THEN {_refuse(_TX_RULE)}"
    )
