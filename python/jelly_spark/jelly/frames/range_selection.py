"""Which restart ranges can have rows that satisfy a condition."""

from __future__ import annotations

import sys
from itertools import zip_longest

from jelly_spark.core.rows import ORDINALS
from jelly_spark.core.where import Allowed, Where, is_allowed
from jelly_spark.core.xxhash64 import xxhash64
from jelly_spark.jelly.frames.restart_index import START, RestartPoint
from jelly_spark.jelly.frames.term_filters import TermFilters


class RangeSelection:
    """Decides for each restart range of a file whether it is read for a condition.

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
        self._ordinals: dict[str, Allowed] = {}
        # The hashes of the allowed terms, by column. Other columns, and those that may be null, do
        # not rule out any range.
        self._hashes: dict[str, list[int]] = {}
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
        """Return whether a restart range is read: it can have rows that satisfy the condition.

        If the counts in the index allow such rows in the last range, the range before is read, too.
        Its end verifies the counts at the start of the last range, which has no counts at its own
        end.

        Args:
            number: the number of the range in the file, from 0 on.

        Raises:
            EOFError: the file became shorter while it was read.
            OSError: the file cannot be read.
        """
        last = len(self._ranges) - 1
        if not self._has_ordinals(number) and not (number == last - 1 and self._has_ordinals(last)):
            return False
        return self._filters is None or all(
            self._filters.may_contain(column, number, hashes)
            for column, hashes in self._hashes.items()
        )

    def _has_ordinals(self, number: int) -> bool:
        """Return whether a range can have rows with the allowed ordinals."""
        for column, allowed in self._ordinals.items():
            first, last = self._ordinals_of(column, *self._ranges[number])
            # Counts that decrease are forged. Such a range is read, which finds the error.
            if first <= last + 1 and not _overlaps(allowed, first, last):
                return False
        return True

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
