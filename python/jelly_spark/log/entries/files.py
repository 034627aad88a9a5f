"""The folder of a log, local or at a URL: patch files are created, and never overwritten.

The log's own files, such as the index and the snapshots, are in the folder `_log`. Spark ignores it
because of the underscore.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from errno import EDQUOT, EFBIG, ENOSPC, ENOTDIR
from pathlib import Path
from typing import BinaryIO

from jelly_spark.core.files import managed_logs
from jelly_spark.core.files.local import FileInfo, LocalStorage
from jelly_spark.core.files.paths import FilePath
from jelly_spark.core.files.storage import find_storage
from jelly_spark.errors import OptionError
from jelly_spark.log.entries.metrics import Counters

LOGGER = logging.getLogger("jelly_spark.log")
"""Debug messages are about appended patches, and info messages about conflicts and housekeeping."""

OWN = managed_logs.OWN
"""The name of the folder, inside a log's folder, for all files that are not patches."""

_BLOCK = 1 << 20
# How systems say that a disk is full, a file too large, or a quota used up.
_NO_ROOM = (ENOSPC, EFBIG, EDQUOT)


class Files:
    """The files of a folder. A name is a path relative to the folder, with `/` as the separator.

    Attributes:
        url: the path or URL of the folder.
        counters: what was done with the files.

    Args:
        path: the path or URL of the folder, which is created with the first file.

    Raises:
        MissingPackageError: the path is a URL that needs a package that is not installed.
        OptionError: the path is empty, or a URL that is not supported.
    """

    def __init__(self, path: FilePath) -> None:
        name = os.fsdecode(path)
        if not name:
            raise OptionError("the path of a log must not be empty")
        self.counters = Counters()
        self.storage, folder = find_storage(name)
        is_local = isinstance(self.storage, LocalStorage)
        self._folder = os.path.abspath(folder) if is_local else folder.rstrip("/")
        self.url = self._folder if is_local else name.rstrip("/")

    def names(self, folder: str) -> list[str]:
        """Return the names of all files and folders in a subfolder; empty if it does not exist."""
        return [f"{folder}/{name}" for name in self.storage.names(self._path(folder))]

    def list(self, folder: str = "") -> dict[str, FileInfo]:
        """Return the files directly in a subfolder, by name; empty if it does not exist.

        Raises:
            NotADirectoryError: it is a file.
        """
        path = self._path(folder)
        if isinstance(self.storage, LocalStorage) and os.path.isfile(path):
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), path)
        found = self.storage.files(path)
        return {f"{folder}/{name}": info for name, info in found.items()} if folder else found

    def info(self, name: str) -> FileInfo:
        """Return what `list` returns for a file directly in the folder."""
        return self.storage.info(self._path(name))

    def has(self, name: str) -> bool:
        """Return whether there is a file."""
        return self.storage.has(self._path(name))

    def is_older(self, folder: str, time: datetime) -> bool:
        """Return whether all files below a folder, or else the folder, were written up to a time.

        In an object store, a folder without files does not exist.
        """
        path = self._path(folder)
        found = [info for _, info in self.storage.walk(path)]
        if not found and isinstance(self.storage, LocalStorage) and self.storage.is_folder(path):
            found = [self.storage.info(path)]
        return all(info.time <= time for info in found)

    def path(self, name: str) -> str:
        """Return the path or URL of a file, as the codec takes it."""
        return f"{self.url}/{name}"

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        return self.storage.open(self._path(name))

    def read(self, name: str) -> bytes:
        """Return the content of a small file, even if it is replaced at the same time."""
        data = self.storage.read(self._path(name))
        self.counters.add(bytes_read=len(data))
        return data

    @contextmanager
    def temporary(self, name: str) -> Iterator[Path]:
        """Provide the path of a local file to write, and remove it.

        Args:
            name: the file that it is meant to become, which errors name if there is no room.
        """
        with self._naming(name), self.storage.temporary(self._path(OWN)) as path:
            yield path

    @contextmanager
    def _naming(self, name: str) -> Iterator[None]:
        """Name a file in errors of a full disk. The user does not know its temporary file."""
        try:
            yield
        except OSError as error:
            if error.errno in _NO_ROOM:
                error.filename = self.path(name)
                # Not `None`, which messages would show.
                del error.filename2
            raise

    def is_written(self, name: str) -> bool | None:
        """Return whether a running program writes a temporary file; see `Storage.is_written`."""
        return self.storage.is_written(self._path(name))

    def remove_left(self, name: str) -> None:
        """Remove a temporary file, unless a running program writes it."""
        self.storage.remove_left(self._path(name))

    def create(self, name: str, source: Path, time: datetime | None = None) -> bool:
        """Create a file from a temporary file, unless the name is taken; see `Storage.publish`."""
        size = source.stat().st_size
        with self._naming(name):
            is_new = self.storage.publish(source, self._path(name), time)
        self.counters.add(bytes_written=size if is_new else 0)
        return is_new

    def replace(self, name: str, data: bytes) -> None:
        """Create or overwrite a file, atomically."""
        with self._naming(name):
            self.storage.replace(self._path(name), data)
        self.counters.add(bytes_written=len(data))

    def remove(self, name: str) -> None:
        """Remove a folder with all its files, if it exists."""
        self.storage.remove(self._path(name))

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}" if name else self._folder


def digest_of(files: Files, name: str) -> str:
    """Return the SHA-256 of a file in hex."""
    with files.open(name) as file:
        return HashedStream(file, name).digest()


class HashedStream:
    """A stream that computes the SHA-256 of the bytes read from it; errors have its name."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self.name = name

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes; all remaining ones if it is negative."""
        data = self._stream.read(size)
        self._digest.update(data)
        return data

    def digest(self) -> str:
        """Read the rest of the stream, and return the SHA-256 of the whole stream in hex."""
        while self.read(_BLOCK):
            pass
        return self._digest.hexdigest()


class HashedTarget:
    """A stream that computes the size and the SHA-256 of the bytes written to it.

    Attributes:
        size: the number of bytes.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Write bytes."""
        self._stream.write(data)
        self._digest.update(data)
        self.size += len(data)

    def flush(self) -> None:
        """Flush the stream."""
        self._stream.flush()

    def digest(self) -> str:
        """Return the SHA-256 in hex."""
        return self._digest.hexdigest()
