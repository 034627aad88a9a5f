"""The effects of a log's changes: which of them added or removed a statement, and which did not."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.checks.findings import finding, findings_of
from jelly_spark.algebra.columns import LOG_ROW, PLACE, STATEMENT
from jelly_spark.algebra.grouping import together
from jelly_spark.patches.checks.rules import ADD_WITHOUT_EFFECT, DELETE_WITHOUT_EFFECT

_HASH = "_hash"
"""The hash of a statement. Windows partition by the terms too, so collisions do no harm."""

OVER = f"OVER (PARTITION BY {', '.join((_HASH, *STATEMENT))} ORDER BY {', '.join(PLACE)})"
"""The window, in SQL, over the changes of a statement; its row in the state before comes first.

Sorting by the hash first, with the strings only to break ties, is faster than sorting by strings.
"""

_PATCH = "struct(log_seq, patch)"
_IS_LAST_OF_PATCH = f"NOT lead({_PATCH}) {OVER} <=> {_PATCH} AS _is_last"
_WAS_THERE = f"coalesce(lag(op) {OVER} = 'A', false) AS was_there"
_IS_AGAIN = f"lag({_PATCH}) {OVER} <=> {_PATCH} AS is_again"


def transitions(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return the rows that added (`A`) or removed (`D`) a statement, at most one for each patch.

    Returns:
        A DataFrame with the columns `LOG_ROW` and the hash. A statement of `before` has an `A` row
        with a null `log_seq`.
    """
    last = _together(before, rows).selectExpr("*", _IS_LAST_OF_PATCH).where("_is_last")
    found = last.selectExpr("*", _WAS_THERE).where("(op = 'A') <> was_there")
    return found.selectExpr(*LOG_ROW, _HASH)


def with_effects(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return the rows that add or delete a statement, with what was so before each of them.

    Returns:
        A DataFrame with the columns `LOG_ROW`; `was_there`, whether the statement was there; and
        `is_again`, whether an earlier row of the same patch changes it.
    """
    found = _together(before, rows).selectExpr("*", _WAS_THERE, _IS_AGAIN)
    return found.where("log_seq IS NOT NULL")


def without_effect(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Return the findings: adds of statements that are present, and deletes of absent ones."""
    found = with_effects(before, rows).where("(op = 'A') = was_there")
    statement = f"concat_ws(' ', {', '.join(STATEMENT)})"
    add, delete = finding(ADD_WITHOUT_EFFECT, statement), finding(DELETE_WITHOUT_EFFECT, statement)
    return findings_of(found, F.when(F.col("op") == "A", add).otherwise(delete))


def _together(before: DataFrame | None, rows: DataFrame) -> DataFrame:
    changes = rows.where("op IN ('A', 'D')")
    if before is not None:
        there = before.selectExpr("*", "'A' AS op")
        changes = changes.unionByName(there, allowMissingColumns=True)
    return together(changes).selectExpr("*", f"xxhash64({', '.join(STATEMENT)}) AS {_HASH}")
