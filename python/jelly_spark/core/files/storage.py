"""What the package needs of a file system that holds files."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple


class FileInfo(NamedTuple):
    """What is known about a file without opening it.

    Attributes:
        size: the size of the file, in bytes.
        tag: a string that changes when the file is written again: its modification time in
            nanoseconds, or an object store's ETag.
        time: when the file was written.
    """

    size: int
    tag: str
    time: datetime


class Storage(ABC):
    """A file system. Its paths have `/` as the separator, and need not be absolute."""

    @abstractmethod
    def url(self, path: str) -> str:
        """Return the path or URL of a file, as the codec takes it."""

    @abstractmethod
    def files(self, folder: str) -> dict[str, FileInfo]:
        """Return the files directly in a folder, by name; empty if it does not exist."""

    @abstractmethod
    def info(self, path: str) -> FileInfo:
        """Return what `files` returns for a file.

        Raises:
            OSError: there is no such file.
        """

    @abstractmethod
    def walk(self, path: str) -> Iterator[tuple[str, FileInfo]]:
        """Yield the path of a file, or those of all files below a folder; none if it is missing.

        Links to folders are followed, but not to a folder that holds the link.
        """

    @abstractmethod
    def names(self, folder: str) -> list[str]:
        """Return the names of what is in a folder; empty if it does not exist."""

    @abstractmethod
    def is_folder(self, path: str) -> bool:
        """Return whether a path is a folder."""

    @abstractmethod
    def exists(self, path: str) -> bool:
        """Return whether a path exists."""

    @abstractmethod
    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""

    @abstractmethod
    def read(self, path: str) -> bytes:
        """Return the content of a small file, even if it is replaced at the same time."""

    @abstractmethod
    def create(self, path: str, *, like: str | None = None) -> BinaryIO:
        """Create a file for writing.

        Args:
            path: the path of the file.
            like: the path of a file that may exist, whose permissions the new file gets.
        """

    @abstractmethod
    def make_folder(self, path: str) -> None:
        """Create a folder, and the folders that it needs, unless it exists."""

    @abstractmethod
    def move(self, source: str, target: str) -> None:
        """Give a file another name, and replace a file that has this name."""

    @abstractmethod
    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it, if it exists."""

    @abstractmethod
    def remove_empty(self, folder: str) -> None:
        """Remove a folder if it exists and is empty."""

    @abstractmethod
    def temporary(self, folder: str) -> AbstractContextManager[Path]:
        """Return a context manager with the path of a local file to write, which it removes.

        Args:
            folder: a folder in the same file system as the files to publish. It is created.
        """

    @abstractmethod
    def is_written(self, path: str) -> bool:
        """Return whether a running program writes a temporary file, or it was removed by now."""

    @abstractmethod
    def publish(self, source: Path, path: str) -> bool:
        """Create a file from a temporary file, atomically, unless the name is taken.

        The new file is complete, and survives a crash of the machine. Its modification time is that
        of this call.

        Returns:
            Whether the file was created. If several processes try at once, one of them succeeds.

        Raises:
            OptionError: the file system or store cannot do this.
        """

    @abstractmethod
    def replace(self, path: str, data: bytes) -> None:
        """Create or overwrite a file, atomically."""


def temporary_name() -> str:
    """Return a new, hidden name for a file that is being written."""
    return f".{secrets.token_hex(8)}.part"
