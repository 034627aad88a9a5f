"""The rows that a page shows: those around the findings, and the beginnings of patches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import MalformedInputError

ROWS = 2000
"""The largest number of rows of all excerpts together."""

CHARACTERS = 400
"""The largest length of a row's text; the rest is cut off."""


class ShownRow(NamedTuple):
    """A row of an excerpt.

    Attributes:
        seq: the 0-based ordinal of the row in its file.
        patch: the 0-based ordinal of its patch in the file.
        op: its code.
        text: its other columns, separated by spaces.
    """

    seq: int
    patch: int | None
    op: str
    text: str


class Selection:
    """The rows to show of several files.

    Attributes:
        left_out: the number of ranges that did not fit.
    """

    def __init__(self) -> None:
        self.left_out = 0
        self._free = ROWS
        self._rows: dict[int, set[int]] = {}

    def add(self, file: int, start: int, end: int) -> None:
        """Select the rows of a file from `start` to before `end`, all or none of them."""
        there = self._rows.setdefault(file, set())
        new = [seq for seq in range(max(start, 0), end) if seq not in there]
        if len(new) > self._free:
            self.left_out += 1
            return
        self._free -= len(new)
        there.update(new)

    def ranges(self, file: int) -> list[range]:
        """Return the selected rows of a file as disjoint ranges, in order."""
        found: list[range] = []
        for seq in sorted(self._rows.get(file, ())):
            if found and found[-1].stop == seq:
                found[-1] = range(found[-1].start, seq + 1)
            else:
                found.append(range(seq, seq + 1))
        return found


def read_excerpts(rows: Iterable[PatchRow], ranges: list[range]) -> list[list[ShownRow]]:
    """Return the rows of a file that are in some ranges, a list for each of them.

    Args:
        rows: the rows of the file. They are read up to the last range, or to an error in them.
        ranges: disjoint ranges of their ordinals `seq`, in order.
    """
    found: list[list[ShownRow]] = [[] for _ in ranges]
    place = 0
    try:
        for row in rows:
            seq = row.seq
            assert seq is not None, "readers number rows"
            while place < len(ranges) and seq >= ranges[place].stop:
                place += 1
            if place == len(ranges):
                break
            if seq >= ranges[place].start:
                found[place].append(ShownRow(seq, row.patch, row.op, _text(row)))
    except MalformedInputError:
        # It is one of the findings.
        pass
    return found


def _text(row: PatchRow) -> str:
    columns = (row.name, row.value, row.subject, row.predicate, row.object, row.graph)
    return cut(" ".join(column for column in columns if column is not None))


def cut(text: str) -> str:
    """Return a text, without what is longer than `CHARACTERS`."""
    return text if len(text) <= CHARACTERS else text[:CHARACTERS] + "…"
