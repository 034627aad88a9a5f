"""The file system of a path or URL."""

from __future__ import annotations

from typing import TypeAlias

from jelly_spark.core.files.local import LocalStorage
from jelly_spark.core.files.paths import is_url, local_path
from jelly_spark.core.files.remote import RemoteStorage, find_remote

Storage: TypeAlias = LocalStorage | RemoteStorage
"""A file system: the local one, or one of the package fsspec."""


def find_storage(name: str) -> tuple[Storage, str]:
    """Return the file system of a path or URL, and the path in it.

    Raises:
        MissingPackageError: fsspec, or a package that it needs for this URL, is not installed.
        OptionError: fsspec does not support this URL.
    """
    path = local_path(name) or name
    return find_remote(path) if is_url(path) else (LocalStorage(), path)
