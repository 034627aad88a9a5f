"""Which statements of a state patches may change, found without shuffling the state."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import STATEMENT, statements_of
from jelly_spark.algebra.language_tags import FOLDED_TERMS
from jelly_spark.patches.language_tags import LanguageTags

_BUCKETS = 1 << 20
"""How many buckets there are, which bounds what is broadcast, however big the patches are.

Ten changed statements select, besides themselves, ten statements of each million; a million changed
statements select two of three.
"""


def _bucket(terms: Iterable[str]) -> str:
    return f"pmod(xxhash64({', '.join(terms)}), {_BUCKETS})"


_BUCKET: dict[LanguageTags, str] = {
    "exact": _bucket(STATEMENT),
    "ignore-case": _bucket(FOLDED_TERMS),
}


def touched(
    state: DataFrame | None, rows: DataFrame, language_tags: LanguageTags = "exact"
) -> DataFrame | None:
    """Return the statements of a state that have the hash bucket of a changed statement.

    These are all that the rows add or delete, and a few more. Only the buckets are broadcast, so
    the query needs no estimate of how many rows there are.

    Args:
        state: the state before the patches, as a user gives it; None for the empty state.
        rows: rows of patches, from `patch_rows_of`, in any transaction or none.
        language_tags: how language tags are compared.

    Raises:
        OptionError: the state lacks a column, or has rows of patches.
    """
    return None if state is None else _among(statements_of(state), rows, "left_semi", language_tags)


def untouched(statements: DataFrame, rows: DataFrame) -> DataFrame:
    """Return the statements that are not `touched`: the rows neither add nor delete them."""
    return _among(statements, rows, "left_anti", "exact")


def _among(
    statements: DataFrame, rows: DataFrame, join: str, language_tags: LanguageTags
) -> DataFrame:
    bucket = _BUCKET[language_tags]
    changed = rows.where("op IN ('A', 'D')")
    # Aggregating per task, and then in one partition, needs no hash shuffle.
    buckets = changed.selectExpr(f"explode(collect_set({bucket})) AS _bucket")
    is_touched = F.expr(f"{bucket} = _bucket")
    return statements.join(F.broadcast(buckets), is_touched, join)
