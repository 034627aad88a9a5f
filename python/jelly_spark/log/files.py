"""The folder of a log, on this machine or at a URL: patches are created, and never overwritten.

What the log itself keeps there is in the folder `_log`, which Spark does not read as data.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from inspect import signature
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from jelly_spark.core.files import FilePath
from jelly_spark.core.remote import find_remote, is_url, local_path
from jelly_spark.errors import OptionError

OWN = "_log"
"""The folder, inside that of a log, of what is no patch."""

_BLOCK = 1 << 20
_CONFLICT = 409
_TRIES = 8


class FileInfo(NamedTuple):
    """What is known of a file that was not opened.

    Attributes:
        size: its bytes.
        tag: changes where the file is written again: its modification time in nanoseconds, or what
            an object store has for that.
        time: when it was written.
    """

    size: int
    tag: str
    time: datetime


class Files(Protocol):
    """The files of a folder, by their names: paths from the folder, with `/`."""

    def list(self, folder: str = "") -> dict[str, FileInfo]:
        """Return the files directly in a folder of the folder; none where it does not exist."""

    def path(self, name: str) -> str:
        """Return the path or URL of a file, for the codec."""

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""

    def read(self, name: str) -> bytes:
        """Return what a small file holds, which may be replaced at the same time."""

    def temporary(self) -> _Temporary:
        """Return a context: the path of a local file to write, which is removed at its end."""

    def create(self, name: str, source: Path) -> bool:
        """Give a temporary file its name, unless a file has it; return whether it was free.

        Of all processes that do so at once, one succeeds. The file is complete, and stays if the
        machine stops.
        """

    def replace(self, name: str, data: bytes) -> None:
        """Write a file, in one step, whether there is one or not."""

    def remove_folder(self, name: str) -> None:
        """Remove a folder and what is in it, if there is one."""


class _Temporary(Protocol):
    def __enter__(self) -> Path: ...

    def __exit__(self, *_: Any) -> bool | None: ...


def files_of(path: FilePath) -> Files:
    """Return the files of a folder.

    Raises:
        MissingPackageError: the path is a URL, which needs a package that is not installed.
        OptionError: it is no path or URL.
    """
    name = os.fsdecode(path)
    if not name:
        raise OptionError("the path of a log must not be empty")
    local = local_path(name) or name
    return RemoteFiles(local) if is_url(local) else LocalFiles(local)


class HashedStream:
    """A stream that is read once, for what it holds and for its digest.

    Args:
        stream: where it comes from.
        name: what errors call it.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self.name = name

    def read(self, size: int = -1) -> bytes:
        """Return up to this many bytes."""
        data = self._stream.read(size)
        self._digest.update(data)
        return data

    def digest(self) -> str:
        """Return the SHA-256 of the whole stream, of which what is left is read."""
        while self.read(_BLOCK):
            pass
        return self._digest.hexdigest()


def digest_of(files: Files, name: str) -> str:
    """Return the SHA-256 of a file."""
    with files.open(name) as file:
        return HashedStream(file, name).digest()


class LocalFiles:
    """A folder of this machine.

    Args:
        folder: its path. It is made when the first file is.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(os.path.abspath(folder))

    def list(self, folder: str = "") -> dict[str, FileInfo]:
        """See `Files`."""
        found = {}
        with suppress(FileNotFoundError), os.scandir(self._folder / folder) as entries:
            for entry in entries:
                # It may be gone since the folder was read.
                with suppress(FileNotFoundError):
                    if entry.is_file():
                        status = entry.stat()
                        found[f"{folder}/{entry.name}" if folder else entry.name] = FileInfo(
                            status.st_size,
                            str(status.st_mtime_ns),
                            datetime.fromtimestamp(status.st_mtime, timezone.utc),
                        )
        return found

    def path(self, name: str) -> str:
        """See `Files`."""
        return str(self._folder / name)

    def open(self, name: str) -> BinaryIO:
        """See `Files`."""
        return open(self._folder / name, "rb")

    def read(self, name: str) -> bytes:
        """See `Files`."""
        return (self._folder / name).read_bytes()

    @contextmanager
    def temporary(self) -> Iterator[Path]:
        """See `Files`."""
        own = self._folder / OWN
        own.mkdir(parents=True, exist_ok=True)
        path = own / f".{secrets.token_hex(8)}.part"
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    def create(self, name: str, source: Path) -> bool:
        """See `Files`. A link never overwrites, unlike a rename."""
        # The time of this file, and so of its patch, is that of now.
        os.utime(source)
        with open(source, "rb+") as file:
            os.fsync(file.fileno())
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except FileExistsError:
            return False
        _sync_folder(target.parent)
        return True

    def replace(self, name: str, data: bytes) -> None:
        """See `Files`."""
        with self.temporary() as path:
            path.write_bytes(data)
            os.replace(path, self._folder / name)

    def remove_folder(self, name: str) -> None:
        """See `Files`."""
        shutil.rmtree(self._folder / name, ignore_errors=True)


def _sync_folder(folder: Path) -> None:
    """Have the names in a folder survive a crash of the machine; Windows cannot be told to."""
    with suppress(PermissionError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


class RemoteFiles:
    """A folder at a URL, by fsspec. Files can be created in stores that do so conditionally.

    Args:
        url: of the folder.

    Raises:
        MissingPackageError: fsspec, or what it needs for this kind of URL, is not installed.
        OptionError: fsspec knows no such kind of URL.
    """

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._store, folder = find_remote(url)
        self._folder = folder.rstrip("/")

    def list(self, folder: str = "") -> dict[str, FileInfo]:
        """See `Files`."""
        found = {}
        path = f"{self._folder}/{folder}".rstrip("/")
        # What it knows from before may be out of date.
        self._store.invalidate_cache(path)
        with suppress(FileNotFoundError):
            for entry in self._store.ls(path, detail=True):
                # An object whose name is that of the folder stands for it.
                name = entry["name"].removeprefix(self._folder).strip("/")
                if entry["type"] == "file" and name != folder:
                    found[name] = _info(entry)
        return found

    def path(self, name: str) -> str:
        """See `Files`."""
        return f"{self._url}/{name}"

    def open(self, name: str) -> BinaryIO:
        """See `Files`."""
        file: BinaryIO = self._store.open(f"{self._folder}/{name}", "rb")
        return file

    def read(self, name: str) -> bytes:
        """See `Files`. One request, so it is all of the old file or all of the new one."""
        data: bytes = self._store.cat_file(f"{self._folder}/{name}")
        return data

    @contextmanager
    def temporary(self) -> Iterator[Path]:
        """See `Files`."""
        folder = tempfile.mkdtemp(prefix="jelly-spark-")
        try:
            yield Path(folder) / "part"
        finally:
            shutil.rmtree(folder)

    def create(self, name: str, source: Path) -> bool:
        """See `Files`: a request with `If-None-Match: *`, or what the store has for that.

        Raises:
            OptionError: the store, or its package, is none that is known to do so.
        """
        put = getattr(self._store, "_put_file", self._store.put_file)
        if "s3" not in self._store.protocol or "mode" not in signature(put).parameters:
            raise OptionError(
                f"no patch can be appended at {self._url}: that needs a store that creates a file "
                "only where there is none, which is S3, with s3fs 2024.12 or later"
            )
        try:
            self._put(f"{self._folder}/{name}", source)
        except FileExistsError:
            return False
        return True

    def _put(self, path: str, source: Path) -> None:
        for again in reversed(range(_TRIES)):
            try:
                self._store.put_file(str(source), path, mode="create")
                return
            except FileExistsError:
                raise
            except OSError as error:
                # Of requests for the same name at the same time, S3 refuses some undecided.
                if _http_status(error) != _CONFLICT or not again:
                    raise
                time.sleep(0.1)

    def replace(self, name: str, data: bytes) -> None:
        """See `Files`."""
        self._store.pipe_file(f"{self._folder}/{name}", data)

    def remove_folder(self, name: str) -> None:
        """See `Files`."""
        self._store.invalidate_cache(f"{self._folder}/{name}")
        with suppress(FileNotFoundError):
            self._store.rm(f"{self._folder}/{name}", recursive=True)


def _http_status(error: OSError) -> int | None:
    """Return the status of the response that an error of s3fs is about."""
    response = getattr(error.__cause__, "response", None) or {}
    status: int | None = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status


def _info(entry: dict[str, Any]) -> FileInfo:
    found = next((entry[name] for name in ("LastModified", "mtime", "created") if name in entry), 0)
    if not isinstance(found, datetime):
        found = datetime.fromtimestamp(found, timezone.utc)
    tag = entry.get("ETag") or found.timestamp()
    return FileInfo(int(entry["size"]), str(tag), found.astimezone(timezone.utc))
