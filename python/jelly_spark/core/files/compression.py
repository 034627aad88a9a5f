"""The supported compressions, as streams that decompress and compress.

As in Spark, the extension of a file says whether it is compressed.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple, Protocol

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.packages import needs_extra

# The number of compressed bytes that are passed to the zstd decompressor at once. Four bytes can
# stand for a block of 128 KiB, so one call returns at most 8 MiB, even for a hostile file.
_ZSTD_STEP = 1 << 8
_CHUNK = 1 << 16
_UNDAMAGED = "undamaged compressed input"


class Source(Protocol):
    """A readable stream of bytes, possibly one that decompresses another stream."""

    def read(self, size: int = -1, /) -> bytes:
        """Return from 1 to `size` bytes, or empty bytes at the end of the stream."""


class Sink(Protocol):
    """A writable stream of bytes, possibly one that compresses to another stream."""

    def write(self, data: bytes, /) -> object:
        """Write all the bytes."""

    def flush(self) -> object:
        """Pass on the bytes written so far."""

    def close(self) -> object:
        """Write the remaining bytes."""


class _RawStream:
    """A stream of compressed bytes that remembers whether reading it failed.

    So I/O errors can be told apart from the errors that `gzip` raises for damaged input.
    """

    def __init__(self, stream: Source) -> None:
        self._read = stream.read
        self.failed = False

    def read(self, size: int = -1) -> bytes:
        self.failed = True
        data = self._read(size)
        self.failed = False
        return data


class _GzipSource:
    """Decompresses a gzip file, which may have several members."""

    def __init__(self, stream: Source) -> None:
        self._raw = _RawStream(stream)
        # A GzipFile only calls `read`, unless it must seek.
        self._file = gzip.GzipFile(fileobj=self._raw, mode="rb")  # type: ignore[call-overload]

    def read(self, size: int = -1) -> bytes:
        try:
            # Not `read`: it would lose the bytes before the damaged ones.
            data: bytes = self._file.read1(_CHUNK if size < 0 else size)
        except (OSError, EOFError, zlib.error) as error:
            if self._raw.failed:
                raise
            raise Violation(_UNDAMAGED, str(error), in_row=False) from None
        return data


class _ZstdSource:
    """Decompresses a zstd file, which may have several frames."""

    def __init__(self, stream: Source) -> None:
        self._package = _zstandard()
        self._stream = stream
        self._decompressor = self._package.ZstdDecompressor()
        # The decompressor of the current frame; None between frames.
        self._frame: Any = None
        # Compressed bytes, and the index of the next one to decompress.
        self._compressed = b""
        self._next = 0
        # Decompressed bytes, and the index of the next one to return.
        self._data = b""
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        while self._at == len(self._data):
            step = self._next_step()
            if not step:
                return b""
            if self._frame is None:
                self._frame = self._decompressor.decompressobj()
            try:
                self._data = self._frame.decompress(step)
            except self._package.ZstdError as error:
                raise Violation(_UNDAMAGED, str(error), in_row=False) from None
            self._at = 0
            if self._frame.eof:
                self._next -= len(self._frame.unused_data)
                self._frame = None
        end = len(self._data) if size < 0 else self._at + size
        data = self._data[self._at : end]
        self._at += len(data)
        return data

    def _next_step(self) -> bytes:
        """Return some compressed bytes, or empty bytes at the end of the file.

        Raises:
            Violation: the file ends within a frame.
        """
        if self._next == len(self._compressed):
            self._compressed = self._stream.read(_CHUNK)
            self._next = 0
            if not self._compressed:
                if self._frame is not None:
                    raise Violation(_UNDAMAGED, "the end of the file within a frame", in_row=False)
                return b""
        step = self._compressed[self._next : self._next + _ZSTD_STEP]
        self._next += len(step)
        return step


class _ZstdSink:
    """Compresses to one zstd frame, with a checksum."""

    def __init__(self, stream: BinaryIO) -> None:
        self._package = _zstandard()
        self._write = stream.write
        compressor = self._package.ZstdCompressor(write_checksum=True)
        self._compress = compressor.compressobj()

    def write(self, data: bytes) -> None:
        self._write(self._compress.compress(data))

    def flush(self) -> None:
        self._write(self._compress.flush(self._package.COMPRESSOBJ_FLUSH_BLOCK))

    def close(self) -> None:
        self._write(self._compress.flush())


def _gzip_sink(stream: BinaryIO) -> Sink:
    # The same rows must give the same bytes, so the header has neither a name nor a time.
    return gzip.GzipFile(filename="", fileobj=stream, mode="wb", compresslevel=6, mtime=0)


def _zstandard() -> Any:
    with needs_extra("zstd", "files that end with .zst need a package"):
        import zstandard
    return zstandard


class Compression(NamedTuple):
    """A compression of files.

    Attributes:
        name: its name.
        extension: the extension that it adds to a file's name, with the dot.
        magic: the first bytes of compressed files.
        decompress: returns a stream that decompresses another one. Its `read` raises `Violation` if
            the compressed bytes are damaged or cut off.
        compress: returns a stream that compresses to another one. Its `close` leaves that open.
    """

    name: str
    extension: str
    magic: bytes
    decompress: Callable[[Source], Source]
    compress: Callable[[BinaryIO], Sink]


COMPRESSIONS = (
    Compression("gzip", ".gz", b"\x1f\x8b", _GzipSource, _gzip_sink),
    Compression("zstd", ".zst", b"\x28\xb5\x2f\xfd", _ZstdSource, _ZstdSink),
)
"""All supported compressions."""


def compression_of(name: str) -> Compression | None:
    """Return the compression of a file, by its name; None if it is not compressed."""
    for compression in COMPRESSIONS:
        if name.endswith(compression.extension):
            return compression
    return None
