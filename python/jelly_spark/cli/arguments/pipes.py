"""Guessing the format of a pipe, whose name does not tell it, by its first bytes."""

from __future__ import annotations

from jelly_spark.core.files.compression import COMPRESSIONS, Source
from jelly_spark.core.files.hints import (
    HEAD_SIZE,
    Beginning,
    guess_format,
    without_declarations,
)
from jelly_spark.core.malformed_input import Violation

_MOST_DECLARATIONS = 1 << 16
"""How many bytes of comments, empty lines and declarations may come first."""

_JELLY_OPTIONS = 16
"""How many bytes tell a Jelly file from text."""


class ReplayedStream:
    """A stream whose first bytes have been read, and are returned again.

    Args:
        head: the bytes.
        rest: the stream after them.
        name: its name, for messages.
    """

    def __init__(self, head: bytes, rest: Source, name: str) -> None:
        self._head = head
        self._rest = rest
        self.name = name

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, or empty bytes at the end of the stream."""
        if not self._head:
            return self._rest.read(size)
        end = len(self._head) if size < 0 else size
        found, self._head = self._head[:end], self._head[end:]
        return found


def guess(stream: Source, name: str) -> tuple[Beginning | None, Source]:
    """Guess the format of a stream, and return it with a stream of the same bytes.

    A stream that is compressed with gzip or zstd is decompressed.

    Args:
        stream: the stream, at its start.
        name: its name, for messages.

    Returns:
        What says the format, or None if it is not known; and the stream to read.

    Raises:
        MissingPackageError: the stream is compressed with zstd, which needs a package.
    """
    head = _read_head(stream)
    found: Source = ReplayedStream(head, stream, name)
    for compression in COMPRESSIONS:
        if head.startswith(compression.magic):
            plain = compression.decompress(found)
            head = _read_head(plain)
            found = ReplayedStream(head, plain, name)
    return guess_format(head), found


def _read_head(stream: Source) -> bytes:
    """Return the first bytes of a stream, which tell its format.

    A line after comments and declarations suffices, so that rows are seen as they arrive.
    """
    head = b""
    try:
        while len(head) < _MOST_DECLARATIONS and not _tells_format(head):
            data = stream.read(HEAD_SIZE)
            if not data:
                break
            head += data
    except Violation:
        # Damaged input, about which the format's reader complains.
        pass
    return head


def _tells_format(head: bytes) -> bool:
    content = without_declarations(head)
    if len(content) >= HEAD_SIZE:
        return True
    end = content.find(b"\n")
    # Among the first bytes of a Jelly file, one may look like the end of a line.
    is_line = end >= 3 or (end >= 0 and len(content) >= _JELLY_OPTIONS)
    return is_line and guess_format(head) is not None
