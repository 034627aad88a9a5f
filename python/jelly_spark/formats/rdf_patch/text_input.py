"""The text of a stream of bytes, decoded in chunks; what is parsed is dropped."""

from __future__ import annotations

import codecs
from typing import BinaryIO

# Bytes per read.
_CHUNK = 1 << 16
_BYTE_ORDER_MARK = "\ufeff"


class TextInput:
    """Decodes UTF-8, and keeps the part of the text that is being parsed.

    A byte that is not UTF-8 becomes a lone surrogate (`surrogateescape`), which nothing else
    becomes. So the parser finds such bytes as characters that no token may hold.

    Args:
        stream: the stream to read, from its current position on.

    Attributes:
        text: the part of the text that is kept.
        at: index in `text` of the next character to parse.
        ended: whether the stream ends where `text` ends.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._read = stream.read
        self.text = ""
        self.at = 0
        self.ended = False
        # The first bytes of a character that the next chunk completes.
        self._rest = b""
        # 0-based line and byte offset of the character at index `_mark` of `text`.
        self._mark = 0
        self._line = 0
        self._byte = 0

    def more(self, keep: int) -> bool:
        """Drop the text before an index, and decode more; `at` is adjusted.

        The kept text at least doubles. So a token that is scanned from its start after each call
        takes linear time in all.

        Args:
            keep: the index of the first character to keep, at most `at`.

        Returns:
            Whether at least one character was added.
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
        """Skip a byte order mark at the start of the stream."""
        if self.more(0) and self.text.startswith(_BYTE_ORDER_MARK):
            self.at = 1

    def position(self, index: int) -> tuple[int, int]:
        """Return the 1-based line and the byte offset of a character.

        Args:
            index: the character's index in `text`; never below that of an earlier call.
        """
        if index > self._mark:
            passed = self.text[self._mark : index]
            self._mark = index
            self._line += passed.count("\n")
            self._byte += (
                len(passed) if passed.isascii() else len(passed.encode("utf-8", "surrogateescape"))
            )
        return self._line + 1, self._byte
