"""The file systems that hold folders of data: the local one, and those of the package fsspec."""

from __future__ import annotations

import os
import shutil
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple, cast

from jelly_spark.core.files.paths import is_url
from jelly_spark.core.files.remote import find_remote
from jelly_spark.datasource.hadoop_globs import compile_glob, unescape, without_slashes_in_groups

_LOCAL = "file:"


class FoundFile(NamedTuple):
    """A file that a listing found.

    Attributes:
        path: its path or URL.
        size: its length in bytes.
        modified: when it was last modified, in milliseconds since 1970; 0 if that is not known.
    """

    path: str
    size: int
    modified: int


class Storage(ABC):
    """A file system. All paths are absolute paths, or URLs."""

    @abstractmethod
    def files(self, path: str) -> Iterator[FoundFile]:
        """Yield a file, or all files below a folder; nothing if the path does not exist.

        Links to folders are followed, but not to a folder that holds the link.
        """

    @abstractmethod
    def is_folder(self, path: str) -> bool:
        """Return whether a path is a folder."""

    @abstractmethod
    def exists(self, path: str) -> bool:
        """Return whether a path exists."""

    @abstractmethod
    def names(self, path: str) -> list[str]:
        """Return the names of what is in a folder; nothing if the path is not a folder."""

    @abstractmethod
    def open(self, path: str, mode: str) -> BinaryIO:
        """Open a file: `rb` to read it, `wb` to create it, with the folders that it needs."""

    @abstractmethod
    def move(self, source: str, target: str) -> None:
        """Give a file another name, and replace a file that has this name."""

    @abstractmethod
    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it; nothing if it does not exist."""

    @abstractmethod
    def remove_empty(self, folder: str) -> None:
        """Remove a folder if it is empty; nothing if it does not exist."""


class _Local(Storage):
    def files(self, path: str) -> Iterator[FoundFile]:
        try:
            state = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return
        if stat.S_ISDIR(state.st_mode):
            yield from self._below(path, {(state.st_dev, state.st_ino)})
        else:
            yield _found(path, state)

    def _below(self, folder: str, outer: set[tuple[int, int]]) -> Iterator[FoundFile]:
        """Yield the files below a folder, which is one of the outer folders by their inodes."""
        for name in self.names(folder):
            path = os.path.join(folder, name)
            try:
                state = os.stat(path)
            except FileNotFoundError:
                continue  # a link to nothing, or a file that was removed
            inode = (state.st_dev, state.st_ino)
            if not stat.S_ISDIR(state.st_mode):
                yield _found(path, state)
            elif inode not in outer:
                yield from self._below(path, outer | {inode})

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def names(self, path: str) -> list[str]:
        try:
            return os.listdir(path)
        except (FileNotFoundError, NotADirectoryError):
            return []

    def open(self, path: str, mode: str) -> BinaryIO:
        if mode == "wb":
            os.makedirs(os.path.dirname(path), exist_ok=True)
        return cast(BinaryIO, open(path, mode))

    def move(self, source: str, target: str) -> None:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.replace(source, target)

    def remove(self, path: str) -> None:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)

    def remove_empty(self, folder: str) -> None:
        # Another job may write to it at the same time.
        with suppress(OSError):
            os.rmdir(folder)


def _found(path: str, state: os.stat_result) -> FoundFile:
    return FoundFile(path, state.st_size, state.st_mtime_ns // 1_000_000)


class _Remote(Storage):
    def __init__(self, url: str) -> None:
        self._files: Any = find_remote(url)[0]

    def canonical(self, url: str) -> str:
        """Return a URL as listings have it."""
        return self._url(self._path(url))

    def _path(self, url: str) -> str:
        return cast(str, self._files._strip_protocol(url))

    def _url(self, path: str) -> str:
        return cast(str, self._files.unstrip_protocol(path))

    def files(self, path: str) -> Iterator[FoundFile]:
        self._files.invalidate_cache()
        for name, state in self._files.find(self._path(path), detail=True).items():
            yield FoundFile(self._url(name), int(state["size"]), _milliseconds(state))

    def is_folder(self, path: str) -> bool:
        return bool(self._files.isdir(self._path(path)))

    def exists(self, path: str) -> bool:
        self._files.invalidate_cache()
        return bool(self._files.exists(self._path(path)))

    def names(self, path: str) -> list[str]:
        self._files.invalidate_cache()
        if not self.is_folder(path):
            return []
        found = self._files.ls(self._path(path), detail=False)
        return [name.rstrip("/").rpartition("/")[2] for name in found]

    def open(self, path: str, mode: str) -> BinaryIO:
        if mode == "wb":
            self._files.makedirs(self._path(path).rpartition("/")[0], exist_ok=True)
        return cast(BinaryIO, self._files.open(self._path(path), mode))

    def move(self, source: str, target: str) -> None:
        self._files.makedirs(self._path(target).rpartition("/")[0], exist_ok=True)
        self._files.cp_file(self._path(source), self._path(target))
        self._files.rm_file(self._path(source))

    def remove(self, path: str) -> None:
        if self._files.exists(self._path(path)):
            self._files.rm(self._path(path), recursive=True)

    def remove_empty(self, folder: str) -> None:
        path = self._path(folder)
        if self._files.isdir(path) and not self._files.ls(path, refresh=True):
            self._files.rmdir(path)


# What the file systems of fsspec call the time of the last modification, or of the creation.
_TIMES = ("mtime", "LastModified", "last_modified", "updated", "created")


def _milliseconds(state: dict[str, Any]) -> int:
    found = next((state[name] for name in _TIMES if state.get(name)), 0)
    return int((found.timestamp() if isinstance(found, datetime) else float(found)) * 1000)


def storage_of(path: str) -> Storage:
    """Return the file system of a path from `absolute`.

    Raises:
        MissingPackageError: the path is a URL, and fsspec, or a package that it needs for the URL,
            is not installed.
        OptionError: fsspec does not support the URL.
    """
    return _Remote(path) if is_url(path) else _Local()


def absolute(path: str) -> str:
    """Return the absolute path of a local path or a `file:` URL; any other URL in fsspec's form.

    As in Hadoop, `%` in a URL has no meaning.

    Raises:
        MissingPackageError: the path is a URL, and fsspec, or a package that it needs for the URL,
            is not installed.
        OptionError: fsspec does not support the URL.
    """
    if path.startswith(_LOCAL):
        path = path.removeprefix(_LOCAL)
        if path.startswith("//"):
            path = "/" + path[2:].partition("/")[2]
    return _Remote(path).canonical(path) if is_url(path) else os.path.abspath(path)


def expand(pattern: str) -> list[str]:
    """Return the paths that match a glob of Hadoop, in order.

    Raises:
        OptionError: the glob is malformed.
    """
    found = set()
    for one in without_slashes_in_groups(pattern):
        found |= _matches(storage_of(pattern), one)
    return sorted(found)


def _matches(storage: Storage, pattern: str) -> set[str]:
    """Return the paths that match a glob without slashes in groups."""
    first, *parts = pattern.split("/")
    paths = [first]
    name: str | None = first
    for part in parts:
        name = unescape(part)
        if name is not None:
            paths = [f"{path}/{name}" for path in paths]
        else:
            fits = compile_glob(part).fullmatch
            paths = [
                f"{path}/{name}"
                for path in paths
                for name in storage.names(path or "/")
                if fits(name)
            ]
    return {path for path in paths if name is None or storage.exists(path)}
