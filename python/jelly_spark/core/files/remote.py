"""Files at URLs, opened with the package fsspec."""

from __future__ import annotations

import os
import secrets
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR, ENOTSUP
from typing import Any, BinaryIO, cast

from jelly_spark.errors import MissingPackageError, OptionError


def open_remote(url: str) -> BinaryIO:
    """Open a file for reading.

    Raises:
        MissingPackageError: fsspec, or a package that it needs for this URL, is not installed.
        OptionError: fsspec does not support this URL.
        OSError: the file cannot be opened.
    """
    files, path = find_remote(url)
    with _bad_url(url):
        return cast(BinaryIO, files.open(path, "rb"))


class RemoteOutput:
    """A remote file that takes its name when it is complete.

    The file is written under a temporary name beside the target, and copied to the target at the
    end. In an object store, the copy appears when it is complete. On file systems that copy in
    chunks, a reader may see a part of the file.

    Raises:
        MissingPackageError: fsspec, or a package that it needs for this URL, is not installed.
        OptionError: fsspec does not support this URL.
        OSError: there is a folder with this name.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._files, self._path = find_remote(url)
        with _bad_url(url):
            if self._files.isdir(self._path):
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR), url)
        folder, slash, _ = self._path.rpartition("/")
        self._temporary = f"{folder}{slash}.{secrets.token_hex(8)}.part"
        self._stream: BinaryIO | None = None

    def open(self) -> BinaryIO:
        """Create the file; return the stream to write to."""
        with _bad_url(self._url):
            self._stream = stream = cast(BinaryIO, self._files.open(self._temporary, "wb"))
        return stream

    def copy_old(self) -> bool:
        """Copy the content of the file that will be replaced; return whether it has any."""
        if self._stream is None or not self._files.exists(self._path):
            return False
        with self._files.open(self._path, "rb") as old:
            follows = bool(first := old.read(1))
            self._stream.write(first)
            shutil.copyfileobj(old, self._stream)
        return follows

    def keep(self) -> None:
        """Close the file and give it its name.

        If the temporary file cannot be removed afterwards, warn with a `ResourceWarning`, because
        the target is complete.
        """
        if self._stream is None:
            return
        try:
            self._stream.close()
            # Not `mv`, which takes names with some characters for globs.
            try:
                self._files.cp_file(self._temporary, self._path)
            except NotImplementedError:
                self._move()
                return
        except BaseException:
            self.discard()
            raise
        try:
            self._files.rm_file(self._temporary)
        except Exception as error:
            warnings.warn(
                f"{self._url} is written, but its temporary file {self._temporary} cannot be "
                f"removed: {error!r}",
                ResourceWarning,
                stacklevel=2,
            )

    def _move(self) -> None:
        try:
            self._files.mv(self._temporary, self._path)
        except NotImplementedError:
            message = "this file system can neither copy nor rename files"
            raise OSError(ENOTSUP, message, self._url) from None

    def discard(self) -> None:
        """Close the file and remove it."""
        if self._stream is None:
            return
        try:
            self._stream.close()
        finally:
            if self._files.exists(self._temporary):
                self._files.rm_file(self._temporary)


def find_remote(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it.

    Raises:
        MissingPackageError: fsspec, or a package that it needs for this URL, is not installed.
        OptionError: fsspec does not support this URL.
    """
    if url.startswith("://"):
        raise OptionError(f"{url!r} is not the URL of a file: it has no scheme")
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise MissingPackageError(
            f"{url!r} is a URL, which needs a package: pip install 'jelly-spark[fsspec]' ({error})"
        ) from error
    try:
        with _bad_url(url):
            files, path = url_to_fs(url)
    except ImportError as error:
        raise MissingPackageError(f"{url!r} needs another package: {error}") from error
    return files, path


@contextmanager
def _bad_url(url: str) -> Iterator[None]:
    """Turn the exceptions that fsspec raises for an invalid URL into an `OptionError`."""
    try:
        yield
    except OSError:
        # This includes `io.UnsupportedOperation`, which is also a ValueError.
        raise
    except (AttributeError, TypeError, ValueError) as error:
        raise OptionError(f"{url!r} is not the URL of a file: {error}") from error
