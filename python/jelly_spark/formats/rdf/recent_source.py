"""The text of a file that was read last, to find places in it."""

from __future__ import annotations

_SIZE = 1 << 16


class RecentSource:
    """Keeps the end of what has been read of a file: 64 KiB, or up to twice as much."""

    def __init__(self) -> None:
        self._text = bytearray()
        # The number of the line with which the text begins, and whether its beginning is missing.
        self._first = 1
        self._is_cut = False

    def add(self, data: bytes) -> None:
        """Add the next bytes of the file."""
        self._text += data
        if len(self._text) > 2 * _SIZE:
            end = self._text.rfind(b"\n", 0, -_SIZE) + 1
            self._is_cut = end == 0
            end = end or len(self._text) - _SIZE
            self._first += self._text.count(b"\n", 0, end)
            del self._text[:end]

    def line(self, number: int) -> bytes | None:
        """Return a line, given its number from 1; None if it is not there any more."""
        lines = bytes(self._text).split(b"\n")
        at = number - self._first
        return lines[at] if self._is_cut <= at < len(lines) else None

    def find(self, text: bytes) -> tuple[int, int] | None:
        """Return the line and the column, in characters from 1, of a text; None if not known."""
        at = self._text.find(text)
        if at < 0:
            return None
        start = self._text.rfind(b"\n", 0, at) + 1
        if self._is_cut and not start:
            return None
        column = len(self._text[start:at].decode("utf-8", "replace")) + 1
        return self._first + self._text.count(b"\n", 0, start), column
