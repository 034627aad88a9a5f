"""The files and streams that readers read from."""

from __future__ import annotations

import io
import os
from errno import EISDIR
from typing import BinaryIO, TypeAlias, cast

from jelly_spark.core.files.compression import Source, compression_of
from jelly_spark.core.files.hints import find_hint
from jelly_spark.core.files.local import LocalStorage
from jelly_spark.core.files.paths import FilePath, check_path, name_of
from jelly_spark.core.files.storage import find_storage
from jelly_spark.core.files.streams import UNNAMED, InputStream, check_stream

Readable: TypeAlias = FilePath | Source | bytes | bytearray | memoryview
"""A file, stream or bytes that a reader accepts."""


class InputFile:
    """The input of a reader: a file that this class opens and closes, bytes, or a caller's stream.

    Args:
        file: path, URL, bytes, or stream of bytes.

    Attributes:
        name: the path or URL, the stream's name, or `<stream>` if it has no name.
        stream: the stream to read from, decompressed if `compressed` is true.
        compressed: whether `file` is a path or URL whose extension says that it is compressed.

    Raises:
        MissingPackageError: the file needs a package that is not installed.
        OptionError: `file` is not something to read bytes from.
        OSError: the file cannot be opened.
    """

    def __init__(self, file: Readable) -> None:
        self._owned: BinaryIO | None = None
        self.compressed = False
        source: Source
        if isinstance(file, (str, os.PathLike)):
            self.name: str = os.fsdecode(file)
            compression = compression_of(name_of(file) or "")
            self._owned = source = _open(self.name)
            if compression is not None:
                self.compressed = True
                try:
                    source = compression.decompress(source)
                except BaseException:
                    self._owned.close()
                    raise
        elif isinstance(file, (bytes, bytearray, memoryview)):
            self.name = UNNAMED
            source = io.BytesIO(bytes(file))
        else:
            source = check_stream(file, "read", "rb")
            self.name = name_of(file) or UNNAMED
        # The stream with the bytes of the file, compressed or not.
        self._raw = source if self._owned is None else self._owned
        self._stream = InputStream(source)
        self.stream = cast(BinaryIO, self._stream)

    @property
    def seekable(self) -> bool:
        """Whether reading can begin anywhere in the file."""
        return not self.compressed and self._stream.seekable()

    def position(self) -> int | None:
        """Return the current position in the file, in bytes; None if it is not known.

        In a compressed file, the compressed bytes count.
        """
        try:
            return cast(BinaryIO, self._raw).tell()
        except (AttributeError, OSError, ValueError):
            return None

    def find_hint(self, start: bytes) -> str | None:
        """Return a hint if the file does not begin as this pattern says; see `hints`."""
        return find_hint(self._stream.head, start)

    def close(self) -> None:
        """Close the file; a stream of the caller is left open."""
        if self._owned is not None:
            self._owned.close()


def _open(name: str) -> BinaryIO:
    check_path(name)
    storage, path = find_storage(name)
    if isinstance(storage, LocalStorage):
        check_path(path)
        if storage.is_folder(path):
            raise IsADirectoryError(EISDIR, "this is a folder: read its files one by one", name)
    return storage.open(path)
