"""The text of a stream of bytes, decoded in chunks; what is parsed is dropped."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from jelly_spark.core.row_size import longer_row, text_size

# Bytes per read.
_CHUNK = 1 << 16
# How many characters are counted at once.
_PIECE = 1 << 20
# A longer token grows by an eighth at a time, a shorter one to twice its length.
_LONG_TOKEN = 1 << 23
_BYTE_ORDER_MARK = "\ufeff"


class TextInput:
    """Decodes UTF-8, and keeps the part of the text that is being parsed.

    A byte that is not UTF-8 becomes a lone surrogate (`surrogateescape`), which nothing else
    becomes. So the parser finds such bytes as characters that no token may hold.

    Args:
        stream: the stream to read, from its current position on.
        max_row_size: the most bytes of a row, and so of a token.

    Attributes:
        text: the part of the text that is kept.
        at: index in `text` of the next character to parse.
        ended: whether the stream ends where `text` ends.
        row: byte offset of the row that is being parsed; None between rows.
        is_utf8: whether all bytes so far are UTF-8, so that `text` holds no lone surrogates.
    """

    def __init__(self, stream: BinaryIO, max_row_size: int) -> None:
        self._read = stream.read
        self._max_row_size = max_row_size
        self.text = ""
        self.at = 0
        self.ended = False
        self.row: int | None = None
        self.is_utf8 = True
        # The first bytes of a character that the next chunk completes.
        self._rest = b""
        # 0-based line and byte offset of the character at index `_mark` of `text`.
        self._mark = 0
        self._line = 0
        self._byte = 0

    def more(self, keep: int) -> bool:
        """Drop the text before an index, and decode more; `at` is adjusted.

        The kept text grows by a part of its length. So a token that is scanned from its start after
        each call takes linear time in all.

        Args:
            keep: the index of the first character to keep, at most `at`.

        Returns:
            Whether at least one character was added.

        Raises:
            Violation: the row, or what is kept, is longer than a row may be.
        """
        if self.ended:
            return False
        self.position(keep)
        kept = self.text[keep:]
        self.at -= keep
        self._mark -= keep
        # What is kept is a token, unless it is short.
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
            # One wide character makes all of the text wide.
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
        """Drop the text before `at`, so that a long token is not there twice."""
        self.position(self.at)
        self.text = self.text[self.at :]
        self._mark = self.at = 0

    def position(self, index: int) -> tuple[int, int]:
        """Return the 1-based line and the byte offset of a character.

        Args:
            index: the character's index in `text`; never below that of an earlier call.
        """
        while self._mark < index:
            # In pieces, since a copy of a long row takes memory that its reader may need.
            passed = self.text[self._mark : min(index, self._mark + _PIECE)]
            self._mark += len(passed)
            self._line += passed.count("\n")
            self._byte += (
                len(passed) if passed.isascii() else len(passed.encode("utf-8", "surrogateescape"))
            )
        return self._line + 1, self._byte
