"""The file systems of the package fsspec."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from errno import EEXIST, EINVAL, ENOTSUP
from inspect import signature
from pathlib import Path
from typing import Any, BinaryIO, cast

from jelly_spark.core.files.local import FileInfo
from jelly_spark.core.packages import needs_extra
from jelly_spark.errors import MissingPackageError, OptionError

_CONFLICT = 409
_PRECONDITION_FAILED = 412
_NO_RANGE = 416
_TRIES = 8


class RemoteStorage:
    """A file system of fsspec, with the paths that fsspec has in it; see `LocalStorage`.

    `publish` needs a store with conditional writes, which create an object only if none exists.

    Args:
        files: fsspec's file system.
        url: the URL that it was found by, for messages.
    """

    def __init__(self, files: Any, url: str) -> None:
        self._files = files
        self._url = url

    def url(self, path: str) -> str:
        """Return the URL of a file."""
        return cast(str, self._files.unstrip_protocol(path))

    def files(self, folder: str) -> dict[str, FileInfo]:
        """Return the files directly in a folder, by name; empty if it does not exist."""
        found = {}
        # fsspec caches listings, which may be out of date.
        self._files.invalidate_cache(folder)
        with suppress(FileNotFoundError):
            for entry in self._files.ls(folder, detail=True):
                # In an object store, an object with the folder's name may stand for the folder.
                path = entry["name"].rstrip("/")
                if entry["type"] == "file" and path.strip("/") != folder.strip("/"):
                    found[path.rpartition("/")[2]] = _remote_info(entry)
        return found

    def info(self, path: str) -> FileInfo:
        """Return what `files` returns for a file."""
        return _remote_info(self._files.info(path, refresh=True))

    def has(self, path: str) -> bool:
        """Return whether there is a file, in one request."""
        try:
            # fsspec's `exists` would list the folder, too.
            self._files.cat_file(path, start=0, end=1)
        except FileNotFoundError:
            return False
        except OSError as error:
            # An empty object has no such range.
            if error.errno != EINVAL and _http_status(error) != _NO_RANGE:
                raise
        return True

    def walk(self, path: str) -> Iterator[tuple[str, FileInfo]]:
        """Yield the path of a file, or those of all files below a folder; none if it is missing."""
        self._files.invalidate_cache()
        for name, entry in self._files.find(path, detail=True).items():
            yield name, _remote_info(entry)

    def names(self, folder: str) -> list[str]:
        """Return the names of what is in a folder; empty if it does not exist."""
        self._files.invalidate_cache()
        if not self.is_folder(folder):
            return []
        found = self._files.ls(folder, detail=False)
        return [name.rstrip("/").rpartition("/")[2] for name in found]

    def is_folder(self, path: str) -> bool:
        """Return whether a path is a folder."""
        with _bad_url(self._url):
            return bool(self._files.isdir(path))

    def exists(self, path: str) -> bool:
        """Return whether a path exists."""
        self._files.invalidate_cache()
        return bool(self._files.exists(path))

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        with _bad_url(self._url):
            return cast(BinaryIO, self._files.open(path, "rb"))

    def read(self, path: str) -> bytes:
        """Return the content of a small file, in one request.

        If the file is replaced at the same time, this is the old or the new content, never a mix.
        """
        read = getattr(self._files, "_cat_file", self._files.cat_file)
        # s3fs asks for the size first, to read parts of the file at once.
        is_parallel = "max_concurrency" in signature(read).parameters
        options = {"max_concurrency": 1} if is_parallel else {}
        return cast(bytes, self._files.cat_file(path, **options))

    def create(self, path: str, *, like: str | None = None) -> BinaryIO:
        """Create a file for writing; in an object store, it appears when it is closed."""
        with _bad_url(self._url):
            return cast(BinaryIO, self._files.open(path, "wb"))

    def make_folder(self, path: str) -> None:
        """Create a folder, and the folders that it needs, unless it exists."""
        self._files.makedirs(path, exist_ok=True)

    def move(self, source: str, target: str) -> None:
        """Give a file another name, and replace a file that has this name.

        In an object store, the copy appears when it is complete. On file systems that copy in
        chunks, a reader may see a part of the file. If the old file cannot be removed afterwards,
        warn with a `ResourceWarning`, because the target is complete.

        Raises:
            OSError: the file cannot be moved.
        """
        # Not `mv`, which takes names with some characters for globs.
        try:
            self._files.cp_file(source, target)
        except NotImplementedError:
            try:
                self._files.mv(source, target)
            except NotImplementedError:
                message = "this file system can neither copy nor rename files"
                raise OSError(ENOTSUP, message, self._url) from None
            return
        try:
            self._files.rm_file(source)
        except Exception as error:
            warnings.warn(
                f"{self._url} is written, but its temporary file {source} cannot be removed: "
                f"{error!r}",
                ResourceWarning,
                stacklevel=2,
            )

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it, if it exists."""
        self._files.invalidate_cache(path)
        # One by one: `rm` would take brackets in the names for a glob pattern.
        for file in self._files.find(path):
            self._files.rm_file(file)
        if self._files.isdir(path):
            with suppress(FileNotFoundError):
                self._files.rm(path, recursive=True)

    def remove_empty(self, folder: str) -> None:
        """Remove a folder if it exists and is empty."""
        if self._files.isdir(folder) and not self._files.ls(folder, refresh=True):
            self._files.rmdir(folder)

    @contextmanager
    def temporary(self, folder: str) -> Iterator[Path]:
        """Provide the path of a local file to write, and remove it."""
        with tempfile.TemporaryDirectory(prefix="jelly-spark-") as local:
            yield Path(local) / "part"

    def is_written(self, path: str) -> bool:
        """Return False: temporary files are elsewhere, so this one is a copy that was left."""
        return False

    def remove_left(self, path: str) -> None:
        """Remove a temporary file, which no program writes; see `is_written`."""
        self.remove(path)

    def publish(self, source: Path, path: str, time: datetime | None = None) -> bool:
        """Create a file from a temporary file, by a conditional write; see `LocalStorage.publish`.

        For S3, this is a request with `If-None-Match: *`. The modification time of the file is that
        of this call.
        """
        put = getattr(self._files, "_put_file", self._files.put_file)
        if "s3" not in self._files.protocol or "mode" not in signature(put).parameters:
            raise OptionError(
                f"no patch can be appended at {self._url}: this needs conditional writes, which "
                "are supported in S3, with s3fs 2024.12 or later"
            )
        try:
            self._put(source, path)
        except FileExistsError:
            return False
        return True

    def _put(self, source: Path, path: str) -> None:
        for again in reversed(range(_TRIES)):
            try:
                self._files.put_file(str(source), path, mode="create")
                return
            except FileExistsError:
                raise
            except OSError as error:
                status = _http_status(error)
                if status == _PRECONDITION_FAILED:
                    # Some stores do not name the condition, so s3fs does not know the error.
                    raise FileExistsError(EEXIST, os.strerror(EEXIST), path) from error
                # S3 may answer concurrent requests for the same name with 409: try again.
                if status != _CONFLICT or not again:
                    raise
                time.sleep(0.1)

    def replace(self, path: str, data: bytes) -> None:
        """Create or overwrite a file, atomically."""
        self._files.pipe_file(path, data)


def _http_status(error: OSError) -> int | None:
    """Return the HTTP status of the response that caused an error of s3fs; None if unknown."""
    response = getattr(error.__cause__, "response", None) or {}
    status: int | None = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status


# What the file systems of fsspec call the time of the last modification, or of the creation.
_TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")


def _remote_info(entry: dict[str, Any]) -> FileInfo:
    if entry.get("size") is None:
        raise OptionError(
            f"files at {entry['name']} cannot be used: the store does not tell the sizes of files"
        )
    found = next((entry[name] for name in _TIMES if entry.get(name)), 0)
    if not isinstance(found, datetime):
        found = datetime.fromtimestamp(float(found), timezone.utc)
    tag = entry.get("ETag") or found.timestamp()
    return FileInfo(int(entry["size"]), str(tag), found.astimezone(timezone.utc))


def find_remote(url: str) -> tuple[RemoteStorage, str]:
    """Return the file system of a URL, and the path in it.

    Raises:
        MissingPackageError: fsspec, or a package that it needs for this URL, is not installed.
        OptionError: fsspec does not support this URL.
    """
    if url.startswith("://"):
        raise OptionError(f"{url!r} is not the URL of a file: it has no scheme")
    with needs_extra("fsspec", f"{url!r} is a URL, which needs a package"):
        from fsspec.core import url_to_fs
    try:
        with _bad_url(url):
            files, path = url_to_fs(url)
    except ImportError as error:
        raise MissingPackageError(f"{url!r} needs another package: {error}") from error
    return RemoteStorage(files, url), path


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
