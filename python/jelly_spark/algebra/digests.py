"""Differences without a shuffle of what did not change, by digests of the states.

Each state is read once for its digest: a table of sums of keyed hashes of its statements. Where two
digests have equal sums, the states have the same statements, each equally often. Then the states
are read again, but only for the statements whose places in the table have different sums.

The key is drawn for each difference, so nobody can prepare two states with equal digests. The
construction, and what it can miss, is in docs/reference/patches.md.
"""

from __future__ import annotations

import os
from typing import Literal, TypeAlias, get_args

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import STATEMENT
from jelly_spark.algebra.language_tags import FOLDED_TERMS
from jelly_spark.algebra.sides import BEFORE, sides_of
from jelly_spark.errors import OptionError
from jelly_spark.jvm import digest_tasks, scanned_bytes, session_has_jar
from jelly_spark.patches.language_tags import LanguageTags

Strategy: TypeAlias = Literal["auto", "digest", "shuffle"]
"""How `diff` finds what differs: by digests, by a shuffle of both states, or as is best."""

States: TypeAlias = tuple[DataFrame, DataFrame]

_KEY_SIZE = 64
_SUMS_SIZE = 16

_LEAST_BYTES = 1 << 25
"""The size of a state for which digests are worth it: below, jobs take longer than a shuffle."""

_SHARE = 32
"""How many times as many bytes a state has as there are sums in all digests, of eight bytes each.

The digests of all tasks are shuffled, so they are to be a quarter of a state at most.
"""

_LEAST, _USUAL, _MOST = 3, 20, 23
"""The logarithms of the numbers of sums: in checks, if sizes are not known, and at most."""


def size_of_digests(strategy: Strategy, states: States) -> int | None:
    """Return the logarithm of the number of sums in the digests of states; None to use no digests.

    Raises:
        OptionError: `strategy` is not one of its values, or needs the jar.
    """
    if strategy not in get_args(Strategy):
        raise OptionError(f"strategy must be one of: auto, digest, shuffle; not {strategy!r}")
    if strategy == "shuffle":
        return None
    if not session_has_jar():
        if strategy == "digest":
            raise OptionError("the strategy digest needs a session with the jar: see configure()")
        return None
    sizes = [size for size in map(scanned_bytes, states) if size is not None]
    if len(sizes) < len(states):
        return _USUAL if strategy == "digest" else None
    if strategy == "auto" and max(sizes) < _LEAST_BYTES:
        return None
    digests = sum(map(digest_tasks, states))
    return max(_LEAST, min((max(sizes) // (_SHARE * digests)).bit_length(), _MOST))


class Digests:
    """What two states may not have in common, by their digests."""

    def __init__(
        self, states: States, size: int, language_tags: LanguageTags, condition: str = "true"
    ) -> None:
        """Compare states.

        Args:
            states: the statements of the states before and after.
            size: the logarithm of the number of sums.
            language_tags: how language tags are compared.
            condition: which statements are compared; all others are of interest.
        """
        self._condition = condition
        self._terms = STATEMENT if language_tags == "exact" else FOLDED_TERMS
        self._key = f"X'{os.urandom(_KEY_SIZE).hex()}'"
        self._marks = self._marks_of(sides_of(*states), size).scalar()

    def of_interest(self, state: DataFrame) -> DataFrame:
        """Return the statements of a state without those that both states have equally often."""
        arguments = map(F.expr, (self._key, *self._terms))
        may_differ = F.call_function("jelly_may_differ", self._marks, *arguments)
        return state.where(~F.expr(self._condition) | may_differ)

    def check(self, compared: DataFrame) -> DataFrame:
        """Return no rows, with a query that fails if the states have changed since their digests.

        If all statements are of interest, that does not matter.

        Args:
            compared: the statements of interest of both states, as `sides_of` returns them.
        """
        has_places = F.length(self._marks) > _SUMS_SIZE
        # Not a filter: Spark would apply it before the shuffle, which then would run twice.
        terms = (F.when(has_places, F.col(name)).alias(name) for name in STATEMENT)
        found = self._marks_of(compared.select(*terms, "side"), _LEAST)
        differ = F.substring("marks", 1, _SUMS_SIZE) != F.substring(self._marks, 1, _SUMS_SIZE)
        error = F.raise_error(
            F.lit("a state changed while two states were compared: compare again")
        )
        failed = F.when(has_places & differ, error.cast("boolean")).otherwise(False)
        return found.where(failed).selectExpr("'H' AS op")

    def _marks_of(self, rows: DataFrame, size: int) -> DataFrame:
        weight = f"IF({self._condition}, IF(side = {BEFORE}, -1L, 1L), 0L)"
        arguments = ", ".join((self._key, str(size), *self._terms, weight))
        return rows.selectExpr(f"jelly_digest_marks({arguments}) AS marks")
