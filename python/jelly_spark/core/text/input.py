"""Decoding a stream of bytes as text, in chunks, and dropping the text that has been parsed."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from jelly_spark.core.row_size import longer_row, text_size

# The number of bytes per read.
_CHUNK = 1 << 16
# The number of characters that are counted at once.
_PIECE = 1 << 20
# To read on, kept text of up to this many characters is doubled; longer text grows by an eighth.
_LONG_TOKEN = 1 << 23
_BYTE_ORDER_MARK = "\ufeff"


class TextInput:
    """Decodes UTF-8, and keeps the part of the text that is being parsed.

    Each invalid byte becomes a lone surrogate (`surrogateescape`), which nothing else does. No
    token may hold one, so the parser finds invalid bytes as unexpected characters.

    Args:
        stream: the stream to read, from its current position on.
        max_row_size: the largest size of a row, and so of a token, in bytes.

    Attributes:
        text: the text that is kept.
        at: index in `text` of the next character to parse.
        ended: whether the stream ends where `text` ends.
        row: byte offset of the row that is being parsed; None between rows.
        is_utf8: whether all bytes so far are valid UTF-8, so that `text` holds no lone surrogates.
    """

    def __init__(self, stream: BinaryIO, max_row_size: int) -> None:
        self._read = stream.read
        self._max_row_size = max_row_size
        self.text = ""
        self.at = 0
        self.ended = False
        self.row: int | None = None
        self.is_utf8 = True
        # The first bytes of a character whose other bytes are in the next chunk.
        self._rest = b""
        # The 0-based line and the byte offset of the character at index `_mark` of `text`.
        self._mark = 0
        self._line = 0
        self._byte = 0

    def more(self, keep: int) -> bool:
        """Drop the text before an index, decode more text, and adjust `at`.

        The kept text grows by a fraction of its length, so that scanning a token from its start
        after each call takes linear time in total.

        Args:
            keep: the index of the first character to keep, at most `at`.

        Returns:
            Whether at least one character was added.

        Raises:
            Violation: the row, or the kept text, is longer than a row may be.
        """
        if self.ended:
            return False
        self.position(keep)
        kept = self.text[keep:]
        self.at -= keep
        self._mark -= keep
        # Kept text that is longer than a chunk is part of a token.
        if len(kept) > _CHUNK and text_size(kept) > self._max_row_size:
            raise longer_row(self._max_row_size)
        if self.row is not None and self._byte - self.row > self._max_row_size:
            raise longer_row(self._max_row_size)
        self.text = ""
        parts = [kept]
        missing = max(1, len(kept) if len(kept) <= _LONG_TOKEN else len(kept) // 8)
        while missing > 0 and not self.ended:
            part = self._decode(self._read(_CHUNK))
            parts.append(part)
            missing -= len(part)
        if len(kept) > _CHUNK:
            # One wide character makes the whole string wide, so check before joining.
            self._check_memory(parts)
        self.text = "".join(parts)
        return len(self.text) > len(kept)

    def _check_memory(self, parts: list[str]) -> None:
        characters = sum(map(len, parts))
        width = max(text_size(part) // len(part) for part in parts if part)
        if characters * width > 2 * self._max_row_size:
            raise longer_row(self._max_row_size)

    def _decode(self, data: bytes) -> str:
        self.ended = not data
        data = self._rest + data
        try:
            text, size = codecs.utf_8_decode(data, "strict", self.ended)
        except UnicodeDecodeError:
            self.is_utf8 = False
            text, size = codecs.utf_8_decode(data, "surrogateescape", self.ended)
        self._rest = data[size:]
        return text

    def skip_byte_order_mark(self) -> None:
        """Skip a byte order mark at the start of the stream."""
        if self.more(0) and self.text.startswith(_BYTE_ORDER_MARK):
            self.at = 1

    def drop_passed(self) -> None:
        """Drop the text before `at`, so that memory does not hold a long token twice."""
        self.position(self.at)
        self.text = self.text[self.at :]
        self._mark = self.at = 0

    def position(self, index: int) -> tuple[int, int]:
        """Return the 1-based line and the byte offset of a character.

        Args:
            index: the character's index in `text`; never below that of an earlier call.
        """
        while self._mark < index:
            # In pieces, because a copy of a long row takes memory that the reader may need.
            passed = self.text[self._mark : min(index, self._mark + _PIECE)]
            self._mark += len(passed)
            self._line += passed.count("\n")
            self._byte += (
                len(passed) if passed.isascii() else len(passed.encode("utf-8", "surrogateescape"))
            )
        return self._line + 1, self._byte
