"""Which restart ranges can have rows that satisfy a condition."""

from __future__ import annotations

import sys
from itertools import zip_longest

from jelly_spark.core.rows import ORDINALS
from jelly_spark.core.where import Allowed, Where, is_allowed
from jelly_spark.core.xxhash64 import xxhash64
from jelly_spark.jelly.frames.restart_index import START, RestartPoint, are_possible
from jelly_spark.jelly.frames.term_filters import TermFilters


class RangeSelection:
    """Decides for each restart range of a file whether it is read for a condition.

    The counts in the index are hints. The end of a range that is read verifies the counts of the
    restart point there, if those at its start are right, so ranges are selected in such a way that
    a number that is wrong, and hides a row or changes its ordinals, is one of those verified:

    - If the last range is read, so is the one before, since the last has no counts at its own end.
    - If each part of a condition allows one of two neighbors, but not the same one, the first of
      them is read: without the counts between them, the condition might allow either.
    - If the counts contradict each other, all ranges are read, which finds the error.

    Args:
        where: the condition.
        points: the restart points of the file.
        filters: the filters of the file; None if it has none.
    """

    def __init__(
        self, where: Where, points: list[RestartPoint], filters: TermFilters | None
    ) -> None:
        self._ranges = [*zip_longest([START, *points], points)]
        self._filters = filters
        self._are_possible = are_possible(points)
        self._ordinals: dict[str, Allowed] = {}
        # The hashes of the allowed terms, by column. Other columns, and those that may be null, do
        # not rule out any range.
        self._hashes: dict[str, list[int]] = {}
        # Whether a column allows a range, by column and number of the range.
        self._decided: dict[tuple[str, int], bool] = {}
        for column, allowed in where.allowed.items():
            if is_allowed(None, allowed):
                continue
            if column in ORDINALS:
                self._ordinals[column] = allowed
            elif filters is not None and column in filters:
                self._hashes[column] = [
                    xxhash64(str(term).encode("utf-8", "surrogatepass")) for term in allowed
                ]

    def is_read(self, number: int) -> bool:
        """Return whether a restart range is read.

        Args:
            number: the number of the range in the file, from 0 on.

        Raises:
            EOFError: the file became shorter while it was read.
            OSError: the file cannot be read.
        """
        if not self._are_possible or self._may_have_rows(number):
            return True
        following = number + 1
        last = len(self._ranges) - 1
        if number == last:
            return False
        if self._may_have_rows(following):
            return following == last
        return bool(self._ordinals) and all(
            self._allows(column, number) or self._allows(column, following)
            for column in (*self._ordinals, *self._hashes)
        )

    def allows_patch(self, patch: int) -> bool:
        """Return whether the condition allows the ordinal of a patch."""
        return "patch" not in self._ordinals or is_allowed(patch, self._ordinals["patch"])

    def _may_have_rows(self, number: int) -> bool:
        """Return whether a range can have rows that satisfy the condition."""
        return all(self._allows(column, number) for column in (*self._ordinals, *self._hashes))

    def _allows(self, column: str, number: int) -> bool:
        """Return whether a range can have rows with the allowed values of a column."""
        key = column, number
        if key not in self._decided:
            self._decided[key] = self._decide(column, number)
        return self._decided[key]

    def _decide(self, column: str, number: int) -> bool:
        if column in self._ordinals:
            first, last = self._ordinals_of(column, *self._ranges[number])
            return _overlaps(self._ordinals[column], first, last)
        assert self._filters is not None
        return self._filters.may_contain(column, number, self._hashes[column])

    def _ordinals_of(
        self, column: str, start: RestartPoint, end: RestartPoint | None
    ) -> tuple[int, int]:
        """Return the least and the greatest ordinal that the rows of a range can have."""
        last = sys.maxsize
        if column == "patch":
            # Rows after the last `END` belong to the patch that the next range continues.
            return start.patches, last if end is None else end.patches
        if column == "tx":
            first = start.transactions - start.in_transaction
            return first, last if end is None else end.transactions - 1
        if column == "frame":
            return start.frames, last if end is None else end.frames - 1
        # Readers may or may not number the namespaces of Jelly-RDF.
        return start.rows - start.namespaces, last if end is None else end.rows - 1


def _overlaps(allowed: Allowed, first: int, last: int) -> bool:
    if isinstance(allowed, range):
        return (
            bool(allowed)
            and min(allowed[0], allowed[-1]) <= last
            and (first <= max(allowed[0], allowed[-1]))
        )
    return any(isinstance(value, int) and first <= value <= last for value in allowed)
