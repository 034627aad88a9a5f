"""The lines that begin in a part of a file, as a stream."""

from __future__ import annotations

import re
from typing import BinaryIO

_CHUNK = 1 << 16
_END_OF_LINE = re.compile(rb"[\r\n]")


class LinePart:
    """The bytes of the lines that begin in a part of a file.

    A line begins at the start of the file, and after each LF and CR: between CR and LF is an empty
    line. So no part needs another one to know where its lines are, and each line is in one part.

    Args:
        stream: the file; it stands at its start, and can seek unless the part begins there.
        start: the offset where the part begins.
        end: the offset before which its lines begin.

    Attributes:
        offset: where the first line of the part begins.
    """

    def __init__(self, stream: BinaryIO, start: int, end: int) -> None:
        self._stream = stream
        # What was read and is not passed on yet.
        self._data = b""
        self._ended = start == end
        self.offset = 0
        if start > 0 and not self._ended:
            stream.seek(stream.tell() + start - 1)
            self.offset = start - 1 + self._skip_line()
        # How many bytes are passed on, whatever they are: the part ends with the line that the last
        # one of them is in, or before it.
        self._rest = max(0, end - 1 - self.offset)
        self._ended = self._ended or self.offset >= end

    def _skip_line(self) -> int:
        """Skip the rest of a line; return how many bytes that is."""
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
        """Return up to this many bytes; none at the end of the part."""
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
