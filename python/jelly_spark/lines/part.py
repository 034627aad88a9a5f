"""The lines that begin in a part of a file, as a stream."""

from __future__ import annotations

import re
import sys
from typing import BinaryIO

from jelly_spark.lines.messages import read_head

_CHUNK = 1 << 16
_END_OF_LINE = re.compile(rb"[\r\n]")


class LinePart:
    """A stream of the lines that begin in a part of a file.

    A line begins at the start of the file, and after each LF and each CR, so there is an empty line
    between CR and LF. With this rule, a part finds its lines on its own, and each line belongs to
    exactly one part.

    Args:
        stream: the file, at its start. It must be seekable unless `start` is 0.
        start: the byte offset where the part begins.
        end: the byte offset where the part ends: lines that begin there belong to the next part.
            None for the end of the file.
        continues: whether to go on reading a stream of messages that begins before the part.

    Attributes:
        offset: the byte offset of the first line of the part.
        has_messages: whether the file is a stream of messages, which has only one part: the part
            that begins at 0 is the whole file, and others are empty.
    """

    def __init__(
        self, stream: BinaryIO, start: int, end: int | None, *, continues: bool = False
    ) -> None:
        self._stream = stream
        # Bytes that were read from the file, but not returned yet.
        self._data = b""
        self._ended = start == end
        self.offset = 0
        self.has_messages = continues
        if not self._ended:
            base = stream.tell() if start > 0 else 0
            if not continues:
                self._data, self.has_messages = read_head(stream)
            if self.has_messages:
                end = None
                self._ended = start > 0 and not continues
            if start > 0 and not self._ended:
                stream.seek(base + start - 1)
                self._data = b""
                self.offset = start - 1 + self._skip_line()
        # The number of bytes left before the last byte of the part. They are returned in any case;
        # the part ends with the first end of line at or after its last byte.
        self._rest = sys.maxsize if end is None else max(0, end - 1 - self.offset)
        self._ended = self._ended or (end is not None and self.offset >= end)

    def _skip_line(self) -> int:
        """Skip the rest of a line, and return its number of bytes."""
        size = 0
        while data := self._stream.read(_CHUNK):
            found = _END_OF_LINE.search(data)
            if found is not None:
                self._data = data[found.end() :]
                return size + found.end()
            size += len(data)
        self._ended = True
        return size

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, any number if it is negative; `b""` at the end of the part."""
        if self._ended:
            return b""
        data = self._data or self._stream.read(size)
        if 0 <= size < len(data):
            data, self._data = data[:size], data[size:]
        else:
            self._data = b""
        rest = self._rest
        self._rest = max(0, rest - len(data))
        if not data:
            self._ended = True
        elif len(data) > rest:
            found = _END_OF_LINE.search(data, rest)
            if found is not None:
                self._ended = True
                return data[: found.end()]
        return data
