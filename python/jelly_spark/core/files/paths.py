"""The paths and URLs of files."""

from __future__ import annotations

import os
from errno import ENOENT
from typing import TypeAlias
from urllib.parse import unquote_to_bytes

from jelly_spark.errors import OptionError

FilePath: TypeAlias = str | os.PathLike[str]
"""A path, or a URL in a string."""

_LOCAL = "file://"


def is_url(name: str) -> bool:
    """Return whether a path is a URL."""
    return "://" in name


def local_path(name: str) -> str | None:
    """Return the path that a `file://` URL names; None for any other name.

    Raises:
        OptionError: the URL names another host.
    """
    if not name.startswith(_LOCAL):
        return None
    host, slash, path = name.removeprefix(_LOCAL).partition("/")
    if host not in ("", "localhost"):
        raise OptionError(
            f"a file:// URL must not name a host, as {name!r} does: write file:///path"
        )
    # File names are bytes, not necessarily in UTF-8.
    return os.fsdecode(unquote_to_bytes(os.fsencode(slash + path)))


def name_of(file: object) -> str | None:
    """Return the path of a file, or the name of a stream; None if it has no name.

    The query of an HTTP URL is removed, so that the name ends with the file's extension.
    """
    if isinstance(file, (str, os.PathLike)):
        name = os.fsdecode(file)
        return name.partition("?")[0] if name.startswith(("http://", "https://")) else name
    stream_name = getattr(file, "name", None)
    return stream_name if isinstance(stream_name, str) else None


def check_path(name: str) -> None:
    """Check that a path can be passed to the system.

    Raises:
        FileNotFoundError: the path is empty.
        OptionError: the path holds a NUL character or a lone surrogate.
    """
    if not name:
        raise FileNotFoundError(ENOENT, "the path is empty", name)
    if "\0" in name:
        raise OptionError(f"a path must not hold a NUL character: {name!r}")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise OptionError(f"a path must not hold a lone surrogate: {name!r}") from None
