"""The files and streams that writers write to."""

from __future__ import annotations

import os
import re
import warnings
import weakref
from contextlib import suppress
from errno import EISDIR, ELOOP, ENOENT, ENOTDIR
from io import SEEK_SET, BufferedWriter, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeAlias, TypeGuard, cast

from jelly_spark.core.files.compression import Compression, Sink, compression_of
from jelly_spark.core.files.local import LocalStorage, temporary_name
from jelly_spark.core.files.managed_logs import check_write
from jelly_spark.core.files.paths import FilePath, check_path, is_url, local_path, name_of
from jelly_spark.core.files.storage import find_storage
from jelly_spark.core.files.streams import check_stream, goes_to_end, is_after_start
from jelly_spark.errors import OptionError


class _Writer(Protocol):
    def write(self, data: bytes, /) -> object:
        """Write all the bytes."""


Writable: TypeAlias = FilePath | _Writer
"""A file or stream that a writer accepts."""

# The buffer size for copying, in bytes.
_COPY = 1 << 20
# The names of files that the process has open.
_DESCRIPTOR = re.compile(r"(?:/dev/fd/|/proc/self/fd/)(\d+)|/dev/(stdout|stderr)")


def check_target(path: FilePath) -> None:
    """Check that a file can be created at a local path.

    Without this check, errors would name the temporary file instead.

    Raises:
        LogError: the path is in the folder of a managed log, into which only the log writes.
        OptionError: the path holds a NUL character or a lone surrogate.
        OSError: the folder of the file does not exist, or the path is a folder, empty, or a loop of
            symbolic links.
    """
    name = os.fsdecode(path)
    check_path(name)
    if not is_replaced(name) and not os.path.isdir(name):
        return
    # `realpath` drops a trailing slash, so it would accept `file/`.
    folder = os.path.dirname(name)
    if folder and os.path.exists(folder) and not os.path.isdir(folder):
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), name)
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(ELOOP, os.strerror(ELOOP), name)
    if not os.path.isdir(folder or ".") or not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, "the folder does not exist", name)
    if target.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), name)
    check_write(name, "an open stream instead of the path")


class OutputFile:
    """The output of a writer: the caller's stream, or a file that takes its name at the end.

    A regular file is written under a temporary name, and renamed by `keep`. The new file gets the
    permissions of the file that it replaces; other hard links to that keep the old content. A pipe
    or a device is written to directly.

    To append to a file, its content is copied to the temporary file first, so the file is unchanged
    until `keep`, and after an error. Content that is appended to a compressed file becomes a
    compressed member or frame of its own.

    If the object is garbage-collected before `keep` or `discard`, the temporary file is removed
    with a `ResourceWarning`.

    Args:
        file: path, URL, or stream of bytes.
        append: whether to write after the existing content. A stream is moved to its end.

    Attributes:
        stream: the stream to write to. It compresses if the extension of a path or URL says so.
        follows: whether there is content before the position to write at. For a pipe, or a stream
            that has no position, this is the value of `append`.

    Raises:
        LogError: the local path is in the folder of a managed log.
        MissingPackageError: the file needs a package that is not installed.
        OptionError: `file` is not something to write bytes to.
        OSError: the file cannot be opened.
    """

    def __init__(self, file: Writable, *, append: bool = False) -> None:
        self._file: _Replacement | None = None
        if isinstance(file, (str, os.PathLike)):
            compression = compression_of(name_of(file) or "")
            name = os.fsdecode(file)
            check_path(name)
            self._file = _Replacement(name)
            # Before the file exists, so that Ctrl-C at any moment leaves nothing behind.
            weakref.finalize(self, _abandon, name, self._file, os.getpid())
            self.follows = self._file.open(compression, append=append)
            self.stream: BinaryIO = self._file.stream
        elif isinstance(file, (bytes, bytearray, memoryview)):
            raise OptionError("bytes cannot be written to: pass an io.BytesIO()")
        else:
            self.stream = check_stream(file, "write", "wb")
            self.follows = goes_to_end(self.stream) if append else is_after_start(self.stream)

    def flush(self) -> None:
        """Flush the bytes written so far to the file, or through the caller's stream."""
        if self._file is not None:
            self._file.flush()
        elif (flush := getattr(self.stream, "flush", None)) is not None:
            flush()

    def keep(self) -> None:
        """Close the file and give it its name; a stream of the caller is left open.

        Raises:
            OSError: the file cannot be closed or renamed. The temporary file is removed.
        """
        if self._file is not None:
            self._file.keep()

    def discard(self) -> None:
        """Close the file and remove it; a stream of the caller is left as it is."""
        if self._file is not None:
            self._file.discard()


def is_replaced(file: object) -> TypeGuard[str | os.PathLike[str]]:
    """Return whether a writer replaces this file: a path or URL that is not a pipe or a device.

    Nor does it replace a file that the process has open, such as the one behind `/dev/stdout`.
    """
    if not isinstance(file, (str, os.PathLike)):
        return False
    path = os.fsdecode(file)
    path = local_path(path) or path
    if _descriptor(path) is not None:
        return False
    return is_url(path) or not os.path.exists(path) or os.path.isfile(path)


def _descriptor(path: str) -> int | None:
    """Return the descriptor that a path such as `/dev/stdout` or `/dev/fd/3` names, if any."""
    found = _DESCRIPTOR.fullmatch(path)
    if found is None:
        return None
    return int(found[1]) if found[1] else ("stdout", "stderr").index(found[2]) + 1


def _abandon(name: str, file: _Replacement, process: int) -> None:
    """Remove the file of a writer that was never closed."""
    # The file belongs to the process that opened it, not to a fork.
    if file.has_ended or os.getpid() != process:
        return
    with suppress(Exception):
        file.discard()
    warnings.warn(
        f"{name} is not written: its writer was not closed", ResourceWarning, stacklevel=2
    )


class _NamedFile(RawIOBase):
    """A file that is written, and whose errors name it: the system names only what it opens.

    Args:
        file: the file.
        name: its name in errors.
    """

    def __init__(self, file: RawIOBase, name: str) -> None:
        self._file = file
        self._name = name

    def write(self, data: Any, /) -> int | None:
        try:
            return self._file.write(data)
        except OSError as error:
            error.filename = self._name
            raise

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = SEEK_SET, /) -> int:
        return self._file.seek(offset, whence)

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._file.close()


class _Replacement:
    """A new file, compressed or not, that takes its name at the end or is removed.

    It is written under a temporary name beside the file. A pipe or a device is written to directly.

    Args:
        name: the path or URL of the file.

    Attributes:
        stream: the stream to write to, once it is open.
        has_ended: whether the file was kept or discarded, or could not be opened.
    """

    stream: BinaryIO

    def __init__(self, name: str) -> None:
        self.has_ended = False
        self._storage, self._name = find_storage(name)
        self._path = self._name
        self._temporary: str | None = None
        self._opened: BinaryIO | None = None
        self._sink: Sink | None = None
        if isinstance(self._storage, LocalStorage):
            check_target(self._path)
            if not is_replaced(self._path):
                return
            # A link keeps its place: the file that it leads to is replaced.
            self._path = os.path.realpath(self._path)
        elif self._storage.is_folder(self._path):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), name)
        self._temporary = self._path.removesuffix(os.path.basename(self._path)) + temporary_name()

    def open(self, compression: Compression | None, *, append: bool) -> bool:
        """Open the file; return whether there is, or may be, content before the position."""
        try:
            self.stream = self._opened = self._create()
            follows = append and self._copy_old(self._opened)
            if compression is not None:
                self._sink = compression.compress(self._opened)
                self.stream = cast(BinaryIO, self._sink)
        except BaseException:
            # Its error would hide the first one.
            with suppress(Exception):
                self.discard()
            self.has_ended = True
            raise
        return follows

    def _create(self) -> BinaryIO:
        if self._temporary is None:
            # Opened again, a regular file behind `/dev/stdout` would be written from its start.
            # Not the `realpath`: that of `/dev/stdout` is no path if standard output is a pipe.
            descriptor = _descriptor(self._name)
            return self._named(open(self._name if descriptor is None else os.dup(descriptor), "wb"))
        try:
            return self._named(self._storage.create(self._temporary, like=self._path))
        except OSError as error:
            # Not the temporary file, which the user does not know.
            error.filename = self._name
            raise

    def _named(self, file: BinaryIO) -> BinaryIO:
        """Return a file whose errors name it as the user does, such as those of a full disk."""
        if not isinstance(file, BufferedWriter):
            return file
        return BufferedWriter(_NamedFile(file.detach(), self._name))

    def _copy_old(self, stream: BinaryIO) -> bool:
        """Copy the content of the file that will be replaced; return whether it has any.

        A pipe or a device may have any.
        """
        if self._temporary is None:
            return True
        if not self._storage.exists(self._path):
            return False
        follows = False
        with self._storage.open(self._path) as old:
            while data := old.read(_COPY):
                stream.write(data)
                follows = True
        return follows

    def flush(self) -> None:
        """Flush the bytes written so far to the file."""
        self.stream.flush()
        if self._opened is not None:
            self._opened.flush()

    def keep(self) -> None:
        """Close the file and give it its name."""
        try:
            if self._sink is not None:
                self._sink.close()
            self._close()
            if self._temporary is not None:
                self._storage.move(self._temporary, self._path)
        except BaseException:
            self._discard_file()
            raise
        finally:
            self.has_ended = True

    def discard(self) -> None:
        """Close the file and remove it."""
        if self._sink is not None:
            # An open compressor would write its last bytes when it is garbage-collected.
            with suppress(Exception):
                self._sink.close()
        try:
            self._discard_file()
        finally:
            self.has_ended = True

    def _discard_file(self) -> None:
        try:
            self._close()
        finally:
            if self._temporary is not None:
                self._storage.remove(self._temporary)

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
