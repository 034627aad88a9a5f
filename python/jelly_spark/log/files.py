"""The folder of a log, local or at a URL: patch files are created, and never overwritten.

The log's own files, such as the index and the snapshots, are in the folder `_log`. Spark ignores it
because of the underscore.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timezone
from errno import EEXIST, ELOOP, ENOENT, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM
from inspect import signature
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from jelly_spark.core.files.paths import FilePath, is_url, local_path
from jelly_spark.core.files.remote import find_remote
from jelly_spark.errors import OptionError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

OWN = "_log"
"""The name of the folder, inside a log's folder, for all files that are not patches."""

_BLOCK = 1 << 20
_CONFLICT = 409
_PRECONDITION_FAILED = 412
_TRIES = 8
# How systems say that a file system has no hard links.
_NO_LINKS = (ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM)


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


class Files(Protocol):
    """The files of a folder. A name is a path relative to the folder, with `/` as the separator."""

    def list(self, folder: str = "") -> dict[str, FileInfo]:
        """Return the files directly in a subfolder, by name; empty if it does not exist."""

    def info(self, name: str) -> FileInfo:
        """Return what `list` returns for a file directly in the folder."""

    def path(self, name: str) -> str:
        """Return the path or URL of a file, as the codec takes it."""

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""

    def read(self, name: str) -> bytes:
        """Return the content of a small file, even if it is replaced at the same time."""

    def temporary(self) -> _Temporary:
        """Return a context manager with the path of a local file to write; it removes the file."""

    def is_written(self, name: str) -> bool:
        """Return whether a running program writes a temporary file, or it was removed by now."""

    def create(self, name: str, source: Path) -> bool:
        """Create a file from a temporary file, atomically, unless the name is taken.

        The new file is complete, and survives a crash of the machine.

        Args:
            name: the name of the new file.
            source: the path of the temporary file.

        Returns:
            Whether the file was created. If several processes try at once, one of them succeeds.
        """

    def replace(self, name: str, data: bytes) -> None:
        """Create or overwrite a file, atomically."""

    def remove_folder(self, name: str) -> None:
        """Remove a folder with all its files, if it exists."""


class _Temporary(Protocol):
    def __enter__(self) -> Path: ...

    def __exit__(self, *_: Any) -> bool | None: ...


def files_of(path: FilePath) -> Files:
    """Return the files of the folder at a path or URL.

    Raises:
        MissingPackageError: the path is a URL that needs a package that is not installed.
        OptionError: the path is empty, or a URL that is not supported.
    """
    name = os.fsdecode(path)
    if not name:
        raise OptionError("the path of a log must not be empty")
    local = local_path(name) or name
    return RemoteFiles(local) if is_url(local) else LocalFiles(local)


class HashedStream:
    """A stream that computes the SHA-256 of the bytes read from it.

    Args:
        stream: the stream to read.
        name: the name of the stream, for error messages.
    """

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


def digest_of(files: Files, name: str, size: int | None = None) -> str:
    """Return the SHA-256 of a file, or of its first `size` bytes, in hex."""
    digest = hashlib.sha256()
    with files.open(name) as file:
        left = sys.maxsize if size is None else size
        while data := file.read(min(_BLOCK, left)):
            digest.update(data)
            left -= len(data)
    return digest.hexdigest()


class LocalFiles:
    """A folder in the local file system.

    Args:
        folder: the path of the folder, which is created with the first file.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(os.path.abspath(folder))

    def list(self, folder: str = "") -> dict[str, FileInfo]:
        """Return the files directly in a subfolder, by name; empty if it does not exist."""
        found = {}
        with suppress(FileNotFoundError), os.scandir(self._folder / folder) as entries:
            for entry in entries:
                try:
                    if entry.is_file():
                        name = f"{folder}/{entry.name}" if folder else entry.name
                        found[name] = _info_of(entry.stat())
                except OSError as error:
                    # Removed since the folder was listed, or a symbolic link to itself.
                    if error.errno not in (ENOENT, ELOOP):
                        raise
        return found

    def info(self, name: str) -> FileInfo:
        """Return what `list` returns for a file directly in the folder."""
        return _info_of(os.stat(self._folder / name))

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return str(self._folder / name)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        return open(self._folder / name, "rb")

    def read(self, name: str) -> bytes:
        """Return the content of a small file."""
        return (self._folder / name).read_bytes()

    @contextmanager
    def temporary(self) -> Iterator[Path]:
        """Provide the path of a file to write, in the same file system; remove it at the end."""
        own = self._folder / OWN
        missing = [*takewhile(lambda folder: not folder.exists(), (own, *own.parents))]
        own.mkdir(parents=True, exist_ok=True)
        for folder in missing:
            _sync_folder(folder.parent)
        path = own / f".{secrets.token_hex(8)}.part"
        try:
            with _locked(path):
                yield path
        finally:
            path.unlink(missing_ok=True)

    def is_written(self, name: str) -> bool:
        """Return whether a running program writes a temporary file; see `Files.is_written`."""
        with suppress(OSError), open(self._folder / name, "rb") as file:
            return not _lock(file, shared=True)
        return True

    def create(self, name: str, source: Path) -> bool:
        """Create a file from a temporary file, atomically; see `Files.create`.

        It makes a hard link, which never overwrites a file, unlike a rename.
        """
        # The modification time of the file is the time of its patch: when it is appended.
        os.utime(source)
        with open(source, "rb+") as file:
            os.fsync(file.fileno())
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno in _NO_LINKS:
                raise OptionError(
                    f"no patch can be appended in {self._folder}: this needs hard links, which "
                    "ext4, XFS, Btrfs, ZFS, APFS, NTFS and NFS have, and this file system has not "
                    f"({error.strerror})"
                ) from error
            raise
        _sync_folder(target.parent)
        return True

    def replace(self, name: str, data: bytes) -> None:
        """Create or overwrite a file, atomically."""
        with self.temporary() as path:
            path.write_bytes(data)
            os.replace(path, self._folder / name)

    def remove_folder(self, name: str) -> None:
        """Remove a folder with all its files, if it exists."""
        shutil.rmtree(self._folder / name, ignore_errors=True)


def _info_of(status: os.stat_result) -> FileInfo:
    time = datetime.fromtimestamp(status.st_mtime, timezone.utc)
    return FileInfo(status.st_size, str(status.st_mtime_ns), time)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Create a file that is locked until this ends, or the process is killed."""
    # On Windows, a file that is open cannot be renamed.
    with nullcontext() if fcntl is None else open(path, "xb") as file:
        if file is not None:
            _lock(file, shared=False)
        yield


def _lock(file: BinaryIO, *, shared: bool) -> bool:
    """Lock a file until it is closed; return whether that did not fail because of another lock."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
    except BlockingIOError:
        return False
    except OSError:
        pass  # The file system has no locks.
    return True


def _sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that new names in it survive a crash; Windows cannot do it."""
    with suppress(PermissionError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


class RemoteFiles:
    """A folder at a URL, accessed with fsspec.

    `create` needs a store with conditional writes, which create an object only if none exists.

    Args:
        url: the URL of the folder.

    Raises:
        MissingPackageError: fsspec, or a package that it needs for this kind of URL, is not
            installed.
        OptionError: fsspec does not know this kind of URL.
    """

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._store, folder = find_remote(url)
        self._folder = folder.rstrip("/")

    def list(self, folder: str = "") -> dict[str, FileInfo]:
        """Return the files directly in a subfolder, by name; empty if it does not exist."""
        found = {}
        path = f"{self._folder}/{folder}".rstrip("/")
        # fsspec caches listings, which may be out of date.
        self._store.invalidate_cache(path)
        with suppress(FileNotFoundError):
            for entry in self._store.ls(path, detail=True):
                # In an object store, an object with the folder's name may stand for the folder.
                name = entry["name"].removeprefix(self._folder).strip("/")
                if entry["type"] == "file" and name != folder:
                    found[name] = _info(entry)
        return found

    def info(self, name: str) -> FileInfo:
        """Return what `list` returns for a file directly in the folder."""
        # A request for one object may give another precision of its time.
        return self.list()[name]

    def path(self, name: str) -> str:
        """Return the URL of a file."""
        return f"{self._url}/{name}"

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        file: BinaryIO = self._store.open(f"{self._folder}/{name}", "rb")
        return file

    def read(self, name: str) -> bytes:
        """Return the content of a small file, in one request.

        If the file is replaced at the same time, this is the old or the new content, never a mix.
        """
        data: bytes = self._store.cat_file(f"{self._folder}/{name}")
        return data

    @contextmanager
    def temporary(self) -> Iterator[Path]:
        """Provide the path of a local file to write; remove it at the end."""
        folder = tempfile.mkdtemp(prefix="jelly-spark-")
        try:
            yield Path(folder) / "part"
        finally:
            shutil.rmtree(folder)

    def is_written(self, name: str) -> bool:
        """Return False: temporary files are elsewhere, so this one is a copy that was left."""
        return False

    def create(self, name: str, source: Path) -> bool:
        """Create a file from a temporary file, by a conditional write; see `Files.create`.

        For S3, this is a request with `If-None-Match: *`.

        Raises:
            OptionError: the store or its fsspec package is not known to support this.
        """
        put = getattr(self._store, "_put_file", self._store.put_file)
        if "s3" not in self._store.protocol or "mode" not in signature(put).parameters:
            raise OptionError(
                f"no patch can be appended at {self._url}: this needs conditional writes, which "
                "are supported in S3, with s3fs 2024.12 or later"
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
                status = _http_status(error)
                if status == _PRECONDITION_FAILED:
                    # Some stores do not name the condition, so s3fs does not know the error.
                    raise FileExistsError(EEXIST, os.strerror(EEXIST), path) from error
                # S3 may answer concurrent requests for the same name with 409: try again.
                if status != _CONFLICT or not again:
                    raise
                time.sleep(0.1)

    def replace(self, name: str, data: bytes) -> None:
        """Create or overwrite a file, atomically."""
        self._store.pipe_file(f"{self._folder}/{name}", data)

    def remove_folder(self, name: str) -> None:
        """Remove a folder with all its files, if it exists."""
        self._store.invalidate_cache(f"{self._folder}/{name}")
        # One by one: `rm` would take brackets in the names for a glob pattern.
        for file in self._store.find(f"{self._folder}/{name}"):
            self._store.rm_file(file)


def _http_status(error: OSError) -> int | None:
    """Return the HTTP status of the response that caused an error of s3fs; None if unknown."""
    response = getattr(error.__cause__, "response", None) or {}
    status: int | None = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status


def _info(entry: dict[str, Any]) -> FileInfo:
    if entry.get("size") is None:
        raise OptionError(
            f"a log cannot be at {entry['name']}: the store does not tell the sizes of files"
        )
    found = next((entry[name] for name in ("LastModified", "mtime", "created") if name in entry), 0)
    if not isinstance(found, datetime):
        found = datetime.fromtimestamp(found, timezone.utc)
    tag = entry.get("ETag") or found.timestamp()
    return FileInfo(int(entry["size"]), str(tag), found.astimezone(timezone.utc))
