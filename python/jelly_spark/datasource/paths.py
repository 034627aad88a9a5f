"""The paths of a read or a write, and the files at them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

from jelly_spark.core.files.paths import is_url
from jelly_spark.core.files.storage import Storage, find_storage
from jelly_spark.datasource.hadoop_globs import compile_glob, unescape, without_slashes_in_groups

_LOCAL = "file:"
_START = datetime.fromtimestamp(0, timezone.utc)


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


def files_at(storage: Storage, path: str) -> Iterator[FoundFile]:
    """Yield a file, or all files below a folder; nothing if the path does not exist."""
    for file, (size, _, time) in storage.walk(path):
        yield FoundFile(storage.url(file), size, (time - _START) // timedelta(milliseconds=1))


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
    if not is_url(path):
        return os.path.abspath(path)
    storage, at = find_storage(path)
    return storage.url(at)


def expand(pattern: str) -> list[str]:
    """Return the paths that match a glob of Hadoop, in order.

    Raises:
        OptionError: the glob is malformed.
    """
    storage, path = find_storage(pattern)
    found = set[str]()
    for one in without_slashes_in_groups(path):
        found |= _matches(storage, one)
    return sorted(map(storage.url, found))


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
