"""What is raised inside where the input breaks its format, and the words for where that is."""

from __future__ import annotations

from typing import NamedTuple


class Violation(Exception):
    """The input breaks the format; the reader adds where. Never leaves the package.

    Attributes:
        expected: what the format asks for.
        found: what the input holds.
        in_row: whether it is the row read last that is broken, or what holds it: its frame.
    """

    def __init__(self, expected: str, found: str, *, in_row: bool = True) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found
        self.in_row = in_row


class Place(NamedTuple):
    """Where in a file something is.

    Attributes:
        text: the place in words, as messages have it.
        offset: byte offset of the frame, or of the row where there are no frames.
        row: 0-based number of the row in its frame, or in its file; None for the frame itself.
    """

    text: str
    offset: int
    row: int | None


def in_frame(offset: int, row: int | None) -> Place:
    """Return the place of a frame that begins at this offset, or of this row of it."""
    return Place(f"frame at byte {offset}" + ("" if row is None else f", row {row}"), offset, row)


def in_row(offset: int, row: int) -> Place:
    """Return the place of this row of a binary file, which begins at this offset."""
    return Place(f"row {row} at byte {offset}", offset, row)


def in_line(offset: int, row: int, line: int) -> Place:
    """Return the place of this row of a text, which begins at this offset in this 1-based line."""
    return Place(f"line {line} (row {row}, byte {offset})", offset, row)
