"""Streams of bytes that callers pass, and what is known about them."""

from __future__ import annotations

import io
import os
from typing import BinaryIO, cast

from jelly_spark.core.files.compression import Source
from jelly_spark.core.files.hints import HEAD_SIZE
from jelly_spark.core.files.paths import name_of
from jelly_spark.errors import OptionError

UNNAMED = "<stream>"
"""The name of a stream that has none, for messages."""


def check_stream(file: object, method: str, mode: str) -> BinaryIO:
    """Check that an object looks like a stream of bytes, without reading or writing.

    Raises:
        OptionError: the object lacks the method, or is a stream of text.
    """
    # A `tempfile.NamedTemporaryFile` wraps its file in the attribute `file`.
    if isinstance(getattr(file, "file", file), io.TextIOBase) or isinstance(file, io.TextIOBase):
        raise _text_stream(file, mode)
    if isinstance(file, type) or not callable(getattr(file, method, None)):
        raise OptionError(f"file must be a path or a stream of bytes, not {type(file).__name__}")
    return cast(BinaryIO, file)


def _text_stream(file: object, mode: str) -> OptionError:
    name = name_of(file) or UNNAMED
    return OptionError(f"{name} is a stream of text: open it with mode {mode!r}")


class InputStream:
    """A stream that keeps the first bytes for `find_hint`, and checks the type of what is read."""

    def __init__(self, stream: Source) -> None:
        self._stream = stream
        self._read = stream.read
        self._at_start = True
        self.head = b""

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, or empty bytes at the end of the stream.

        Raises:
            BlockingIOError: the stream is in non-blocking mode and has no bytes yet.
            OptionError: the stream returned something other than bytes.
        """
        data = self._read(size)
        if type(data) is not bytes:
            data = self._to_bytes(data)
        if self._at_start:
            self._at_start = False
            self.head = data[:HEAD_SIZE]
        return data

    def seekable(self) -> bool:
        """Return whether the stream says that it can seek."""
        seekable = getattr(self._stream, "seekable", None)
        return callable(seekable) and bool(seekable())

    def tell(self) -> int:
        """Return the current position of the stream.

        Raises:
            OptionError: the stream has no `tell` or no `seek`.
        """
        if not (hasattr(self._stream, "tell") and hasattr(self._stream, "seek")):
            raise OptionError("a part of a stream needs one that can seek")
        return cast(BinaryIO, self._stream).tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move the stream to a position, and return the position."""
        self._at_start = False
        return cast(BinaryIO, self._stream).seek(offset, whence)

    def _to_bytes(self, data: object) -> bytes:
        if isinstance(data, str):
            raise _text_stream(self._stream, "rb")
        if data is None:
            raise BlockingIOError(
                "the stream is in non-blocking mode and has no bytes yet: pass a blocking stream"
            )
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise OptionError(f"a stream must return bytes, not {type(data).__name__}")
        return bytes(data)


def goes_to_end(stream: BinaryIO) -> bool:
    """Move a stream to its end; return whether there is, or may be, content before it.

    A stream that cannot seek, such as a pipe or a compressed stream, has no known position.
    """
    try:
        return stream.seek(0, os.SEEK_END) > 0
    except (AttributeError, OSError, TypeError, ValueError):
        return True


def is_after_start(stream: BinaryIO) -> bool:
    """Return whether a stream is known not to be at its start."""
    try:
        if stream.tell() > 0:
            return True
        # The position of a file in append mode can be 0 until the first write.
        import fcntl  # not on Windows

        number = stream.fileno()
        appends = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_APPEND
        return bool(appends) and os.fstat(number).st_size > 0
    except (AttributeError, ImportError, OSError, TypeError, ValueError):
        return False
