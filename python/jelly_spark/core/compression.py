"""Compressed files: which there are, and the streams that decompress and compress.

A file is compressed where its extension says so, as it is for Spark.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple, Protocol

from jelly_spark.core.malformed_input import Violation
from jelly_spark.errors import MissingPackageError

# The most compressed bytes that the zstd decompressor gets at once. Four bytes can stand for a
# block of 128 KiB, so this bounds what a hostile file makes of one call to 8 MiB.
_ZSTD_STEP = 1 << 8
_CHUNK = 1 << 16
_UNDAMAGED = "undamaged compressed input"


class Source(Protocol):
    """What bytes are read from: a stream, or what decompresses one."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at least a byte, at most `size`; none at the end."""


class Sink(Protocol):
    """What bytes are written to: a stream, or what compresses for one."""

    def write(self, data: bytes, /) -> object:
        """Take all the bytes."""

    def flush(self) -> object:
        """Pass on all that was written."""

    def close(self) -> object:
        """Write what is left."""


class _RawStream:
    """The compressed bytes. Remembers whether reading them failed, which is no damage."""

    def __init__(self, stream: Source) -> None:
        self._read = stream.read
        self.failed = False

    def read(self, size: int = -1) -> bytes:
        self.failed = True
        data = self._read(size)
        self.failed = False
        return data


class _GzipSource:
    """Decompresses the members of a gzip file, one after the other."""

    def __init__(self, stream: Source) -> None:
        self._raw = _RawStream(stream)
        # A GzipFile needs no more of a stream than `read`, unless it is told to seek.
        self._file = gzip.GzipFile(fileobj=self._raw, mode="rb")  # type: ignore[call-overload]

    def read(self, size: int = -1) -> bytes:
        try:
            # `read` would lose what it has where damage follows.
            data: bytes = self._file.read1(_CHUNK if size < 0 else size)
        except (OSError, EOFError, zlib.error) as error:
            if self._raw.failed:
                raise
            raise Violation(_UNDAMAGED, str(error), in_row=False) from None
        return data


class _ZstdSource:
    """Decompresses the frames of a zstd file, one after the other."""

    def __init__(self, stream: Source) -> None:
        self._package = _zstandard()
        self._stream = stream
        self._decompressor = self._package.ZstdDecompressor()
        # Decompresses the frame that was begun; None between frames.
        self._frame: Any = None
        # What was read and is not decompressed yet, from a position on.
        self._compressed = b""
        self._next = 0
        # What is decompressed and was not asked for yet, from a position on.
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
        """Return some compressed bytes; none at the end, which must be that of a frame."""
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
    # Neither a name nor a time: the same rows give the same bytes.
    return gzip.GzipFile(filename="", fileobj=stream, mode="wb", compresslevel=6, mtime=0)


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise MissingPackageError(
            f"files that end with .zst need a package: pip install 'jelly-spark[zstd]' ({error})"
        ) from error
    return zstandard


class Compression(NamedTuple):
    """A way to compress files.

    Attributes:
        name: what it is called.
        extension: what it adds to a file's name.
        decompress: makes what reads the content of a compressed stream. It raises `Violation` where
            the compressed bytes are damaged or cut off.
        compress: makes what compresses to a stream, which its `close` leaves open.
    """

    name: str
    extension: str
    decompress: Callable[[Source], Source]
    compress: Callable[[BinaryIO], Sink]


COMPRESSIONS = (
    Compression("gzip", ".gz", _GzipSource, _gzip_sink),
    Compression("zstd", ".zst", _ZstdSource, _ZstdSink),
)
"""All ways to compress files."""


def compression_of(name: str) -> Compression | None:
    """Return how a file of this name is compressed; None if it is not."""
    for compression in COMPRESSIONS:
        if name.endswith(compression.extension):
            return compression
    return None
