"""Counting changes by term, in bounded memory."""

from __future__ import annotations

import heapq
from typing import Literal, NamedTuple, TypeAlias

Change: TypeAlias = Literal["A", "D"]

CAPACITY = 50_000
"""How many terms are kept when the table of a `TopTerms` is cut; it has up to twice as many."""


class TermCount(NamedTuple):
    """The changes of the statements that have a term.

    Attributes:
        term: the term; None for the default graph.
        adds: the statements that were added.
        deletes: the statements that were deleted.
        missed: how many more there may be, adds and deletes together; 0 if the numbers are exact.
    """

    term: str | None
    adds: int
    deletes: int
    missed: int

    @property
    def changes(self) -> int:
        """The number of adds and deletes."""
        return self.adds + self.deletes


class TopTerms:
    """The terms with the most changes.

    The counts are exact up to twice `CAPACITY` different terms. With more, the rarest terms are
    dropped, as in the algorithm "lossy counting": a term that comes back may have been counted
    before, up to `dropped` times.

    Attributes:
        dropped: no term that is not in the table has more changes than this.
    """

    def __init__(self) -> None:
        self.dropped = 0
        # Adds, deletes, and how many may have been missed.
        self._counts: dict[str | None, list[int]] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, change: Change, term: str | None) -> None:
        """Count a change of a statement that has the term."""
        counts = self._counts.get(term) or self._enter(term)
        counts[change == "D"] += 1

    def _enter(self, term: str | None) -> list[int]:
        if len(self._counts) >= 2 * CAPACITY:
            self._drop()
        found = self._counts[term] = [0, 0, self.dropped]
        return found

    def _drop(self) -> None:
        ordered = sorted(self._counts.items(), key=lambda item: -sum(item[1]))
        self._counts = dict(ordered[:CAPACITY])
        self.dropped = max(self.dropped, sum(ordered[CAPACITY][1]))

    def update(self, other: TopTerms) -> None:
        """Add the counts of another table to these."""
        for term, counts in self._counts.items():
            if term not in other._counts:
                counts[2] += other.dropped
        for term, (adds, deletes, missed) in other._counts.items():
            counts = self._counts.get(term) or self._enter(term)
            counts[0] += adds
            counts[1] += deletes
            counts[2] += missed
        self.dropped += other.dropped

    def top(self, count: int) -> list[TermCount]:
        """Return the terms with the most changes, the largest first; equal ones by code point."""
        return heapq.nsmallest(
            count,
            (TermCount(term, *counts) for term, counts in self._counts.items()),
            key=lambda found: (-found.changes, found.term or ""),
        )
