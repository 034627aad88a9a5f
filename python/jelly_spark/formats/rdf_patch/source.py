"""The text of a stream, decoded piece by piece."""

from __future__ import annotations

import codecs
from typing import BinaryIO

# The most that is read at once, in bytes.
_CHUNK = 1 << 16
_BYTE_ORDER_MARK = "\ufeff"


class TextSource:
    """Decodes UTF-8, and keeps no more of it than is asked for.

    A byte that is no UTF-8 becomes one character, a lone surrogate, which nothing else becomes.

    Args:
        stream: where to read from, from its current position on.

    Attributes:
        text: what is decoded and kept.
        at: index in `text` of the first character that is not consumed.
        ended: whether nothing follows `text`.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._read = stream.read
        self.text = ""
        self.at = 0
        self.ended = False
        # The bytes of a character that is not complete.
        self._rest = b""
        # The position of the character at `_mark` in `text`: 0-based line, and byte.
        self._mark = 0
        self._line = 0
        self._byte = 0

    def more(self, keep: int) -> bool:
        """Drop the text before an index, and add at least one character; `at` moves along.

        What is kept at least doubles, so that reading it again and again takes linear time.

        Args:
            keep: the index, at most `at`; it becomes 0.

        Returns:
            Whether there was more.
        """
        if self.ended:
            return False
        self.position(keep)
        kept = self.text[keep:]
        self.at -= keep
        self._mark -= keep
        parts = [kept]
        missing = max(1, len(kept))
        while missing > 0 and not self.ended:
            part = self._decode(self._read(_CHUNK))
            parts.append(part)
            missing -= len(part)
        self.text = "".join(parts)
        return len(self.text) > len(kept)

    def _decode(self, data: bytes) -> str:
        self.ended = not data
        data = self._rest + data
        text, size = codecs.utf_8_decode(data, "surrogateescape", self.ended)
        self._rest = data[size:]
        return text

    def skip_byte_order_mark(self) -> None:
        """Skip the mark where reading begins."""
        if self.more(0) and self.text.startswith(_BYTE_ORDER_MARK):
            self.at = 1

    def position(self, index: int) -> tuple[int, int]:
        """Return where a character of `text` is: its 1-based line, and its byte offset.

        Args:
            index: of the character, not before one that was asked for earlier.
        """
        if index > self._mark:
            passed = self.text[self._mark : index]
            self._mark = index
            self._line += passed.count("\n")
            self._byte += (
                len(passed) if passed.isascii() else len(passed.encode("utf-8", "surrogateescape"))
            )
        return self._line + 1, self._byte
