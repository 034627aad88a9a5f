"""The internal exception for malformed input, and descriptions of places in a file.

A decoder knows what is wrong, but not where in the file. It raises a `Violation`, which the reader
turns into the public `MalformedInputError` with the file's name and a `Place`.
"""

from __future__ import annotations

from typing import NamedTuple


class Violation(Exception):
    """The input breaks its format. Internal: a reader always turns it into a public error.

    Attributes:
        expected: what the format requires.
        found: what the input holds.
        in_row: whether the error is in the row read last; if not, it is in the frame around it.
    """

    def __init__(self, expected: str, found: str, *, in_row: bool = True) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found
        self.in_row = in_row


def invalid_utf8(byte: int) -> Violation:
    """Return the error for a text that is not UTF-8, given its first invalid byte."""
    return Violation("UTF-8", f"invalid UTF-8 (byte 0x{byte:02X})")


class Place(NamedTuple):
    """A place in a file.

    Attributes:
        text: the place as error messages show it.
        offset: byte offset of the frame, or of the row in a format without frames.
        row: 0-based number of the row in its frame, or in its file in a format without frames. None
            for the frame itself, and if the number is not known.
    """

    text: str
    offset: int
    row: int | None


def in_frame(offset: int, row: int | None) -> Place:
    """Return the place of the frame at a byte offset, or of a row in it."""
    return Place(f"frame at byte {offset}" + ("" if row is None else f", row {row}"), offset, row)


def in_row(offset: int, row: int) -> Place:
    """Return the place of a row in a binary format without frames."""
    return Place(f"row {row} at byte {offset}", offset, row)


def in_line(offset: int, row: int, line: int) -> Place:
    """Return the place of a row in a text format; `line` is 1-based."""
    return Place(f"line {line} (row {row}, byte {offset})", offset, row)


def in_line_of_part(offset: int) -> Place:
    """Return the place of a row in a text file that was not read from its start."""
    return Place(f"line at byte {offset}", offset, None)
