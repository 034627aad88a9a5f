"""The local file system."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timezone
from errno import ELOOP, ENOENT, ENOSYS, ENOTDIR, ENOTSUP, EOPNOTSUPP, EPERM
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, NamedTuple

from jelly_spark.errors import OptionError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# How systems say that a file does not exist, or that a link leads nowhere.
_NO_FILE = (ENOENT, ENOTDIR, ELOOP)
# How they say that a file system has no hard links.
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


class LocalStorage:
    """The local file system.

    `RemoteStorage` has the same methods. The paths of both have `/` as the separator, and need not
    be absolute.
    """

    def url(self, path: str) -> str:
        """Return the path or URL of a file, as the codec takes it."""
        return path

    def files(self, folder: str) -> dict[str, FileInfo]:
        """Return the files directly in a folder, by name; empty if it does not exist."""
        found = {}
        for name in self.names(folder):
            state = _state(os.path.join(folder, name))
            if state is not None and stat.S_ISREG(state.st_mode):
                found[name] = _local_info(state)
        return found

    def info(self, path: str) -> FileInfo:
        """Return what `files` returns for a file.

        Raises:
            OSError: there is no such file.
        """
        return _local_info(os.stat(path))

    def has(self, path: str) -> bool:
        """Return whether there is a file."""
        return os.path.isfile(path)

    def walk(self, path: str) -> Iterator[tuple[str, FileInfo]]:
        """Yield the path of a file, or those of all files below a folder; none if it is missing.

        Links to folders are followed, but not to a folder that holds the link.
        """
        state = _state(path)
        if state is not None:
            yield from self._walk(path, state, set())

    def _walk(
        self, path: str, state: os.stat_result, outer: set[tuple[int, int]]
    ) -> Iterator[tuple[str, FileInfo]]:
        """Yield the files at and below a path, which is in folders with these inodes."""
        if not stat.S_ISDIR(state.st_mode):
            yield path, _local_info(state)
            return
        inode = (state.st_dev, state.st_ino)
        if inode in outer:
            return
        for name in self.names(path):
            below = os.path.join(path, name)
            if (found := _state(below)) is not None:
                yield from self._walk(below, found, outer | {inode})

    def names(self, folder: str) -> list[str]:
        """Return the names of what is in a folder; empty if it does not exist."""
        try:
            return os.listdir(folder)
        except (FileNotFoundError, NotADirectoryError):
            return []

    def is_folder(self, path: str) -> bool:
        """Return whether a path is a folder."""
        return os.path.isdir(path)

    def exists(self, path: str) -> bool:
        """Return whether a path exists."""
        return os.path.exists(path)

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading.

        A pipe is unbuffered, so that its bytes are seen when they arrive.
        """
        return open(path, "rb", buffering=-1 if os.path.isfile(path) else 0)

    def read(self, path: str) -> bytes:
        """Return the content of a small file, even if it is replaced at the same time."""
        return Path(path).read_bytes()

    def create(self, path: str, *, like: str | None = None) -> BinaryIO:
        """Create a file for writing.

        Args:
            path: the path of the file.
            like: the path of a file that may exist, whose permissions the new file gets.
        """
        state = None if like is None else _state(like)
        if state is None:
            return open(path, "xb")
        mode = stat.S_IMODE(state.st_mode) & 0o777
        # Pass the mode to `open`: the file must never have more permissions than the other. Ctrl-C
        # in an opener written in Python would lose the descriptor.
        file = open(path, "xb", opener=partial(os.open, mode=mode))  # noqa: SIM115
        # Not all file systems have permissions.
        with suppress(OSError):
            os.chmod(path, mode)
        return file

    def make_folder(self, path: str) -> None:
        """Create a folder, and the folders that it needs, unless it exists."""
        os.makedirs(path, exist_ok=True)

    def move(self, source: str, target: str) -> None:
        """Give a file another name, and replace a file that has this name."""
        os.replace(source, target)

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it, if it exists."""
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            Path(path).unlink(missing_ok=True)

    def remove_empty(self, folder: str) -> None:
        """Remove a folder if it exists and is empty."""
        # Another job may write to it at the same time.
        with suppress(OSError):
            os.rmdir(folder)

    @contextmanager
    def temporary(self, folder: str) -> Iterator[Path]:
        """Provide the path of a file to write, which is locked meanwhile, and remove it.

        Args:
            folder: a folder in the same file system as the files to publish. It is created, and
                removed if nothing is published in it.
        """
        path = Path(folder) / temporary_name()
        missing = [*takewhile(lambda parent: not parent.exists(), path.parents)]
        self.make_folder(folder)
        for parent in missing:
            _sync_folder(parent.parent)
        try:
            # On Windows, a file that is open cannot be renamed.
            with nullcontext() if fcntl is None else _create_locked(path):
                yield path
        finally:
            path.unlink(missing_ok=True)
            for parent in missing:
                self.remove_empty(str(parent))

    def is_written(self, path: str) -> bool | None:
        """Return whether a running program writes a temporary file, or it was removed by now.

        None if that cannot be known, because the file system has no locks.
        """
        with suppress(OSError), open(path, "rb") as file:
            is_free = _lock(file, shared=True)
            return None if is_free is None else not is_free
        return True

    def remove_left(self, path: str) -> None:
        """Remove a temporary file, unless a running program writes it."""
        with suppress(FileNotFoundError), open(path, "rb") as file:
            # Locked until it is gone: a program that has just created it will notice.
            if _lock(file, shared=False) is not False:
                Path(path).unlink()

    def publish(self, source: Path, path: str, time: datetime | None = None) -> bool:
        """Create a file from a temporary file, atomically, unless the name is taken.

        The new file is complete, and survives a crash of the machine. Its modification time is the
        given one, if the file system can hold it, or that of this call. It is a hard link, which
        never overwrites a file, unlike a rename.

        Returns:
            Whether the file was created. If several processes try at once, one of them succeeds.

        Raises:
            OptionError: the file system cannot do this.
        """
        os.utime(source)
        if time is not None:
            with suppress(OSError, OverflowError):
                os.utime(source, (time.timestamp(), time.timestamp()))
        with open(source, "rb+") as file:
            os.fsync(file.fileno())
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        try:
            os.link(source, path)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno in _NO_LINKS:
                raise OptionError(
                    f"no patch can be appended in {folder}: this needs hard links, which ext4, "
                    "XFS, Btrfs, ZFS, APFS, NTFS and NFS have, and this file system has not "
                    f"({error.strerror})"
                ) from error
            raise
        _sync_folder(Path(folder))
        return True

    def replace(self, path: str, data: bytes) -> None:
        """Create or overwrite a file, atomically."""
        with self.temporary(os.path.dirname(path)) as source:
            source.write_bytes(data)
            os.replace(source, path)


def _state(path: str) -> os.stat_result | None:
    """Return the state of a file; None if there is none, or it is a link that leads nowhere."""
    try:
        return os.stat(path)
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise
        return None


def _local_info(state: os.stat_result) -> FileInfo:
    time = datetime.fromtimestamp(state.st_mtime, timezone.utc)
    return FileInfo(state.st_size, str(state.st_mtime_ns), time)


def _create_locked(path: Path) -> BinaryIO:
    """Create a file that is locked, and that no one has removed before it was."""
    while True:
        try:
            file = open(path, "xb")  # noqa: SIM115
        except FileNotFoundError:
            # Another program has just removed the folder, which it had created in vain.
            path.parent.mkdir(parents=True, exist_ok=True)
            continue
        if _lock(file, shared=False) is not False and os.fstat(file.fileno()).st_nlink > 0:
            return file
        # Another program has just taken it for one that was left.
        file.close()
        path.unlink(missing_ok=True)


def _lock(file: BinaryIO, *, shared: bool) -> bool | None:
    """Lock a file until it is closed, or the process is killed.

    Returns:
        False if another program has locked it. None if there are no locks.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that new names in it survive a crash; Windows cannot do it."""
    with suppress(PermissionError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def temporary_name() -> str:
    """Return a new, hidden name for a file that is being written."""
    return f".{secrets.token_hex(8)}.part"
