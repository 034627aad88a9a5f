"""What the reader's layers raise where the input breaks the format."""

from __future__ import annotations


class Violation(Exception):
    """The input breaks the format; the reader adds where. Never leaves the codec.

    Attributes:
        expected: what the format asks for.
        found: what the input holds.
        in_row: whether it is the row read last that is broken, or its frame.
    """

    def __init__(self, expected: str, found: str, *, in_row: bool = True) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found
        self.in_row = in_row
