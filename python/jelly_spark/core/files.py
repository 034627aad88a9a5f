"""The files and streams that readers read from and writers write to."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import stat
import warnings
import weakref
from contextlib import suppress
from errno import EISDIR, ELOOP, ENOENT, ENOTDIR
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias, TypeGuard, cast

from jelly_spark.core.compression import Sink, Source, compression_of
from jelly_spark.core.hints import HEAD_SIZE, find_hint
from jelly_spark.core.remote import RemoteOutput, is_url, local_path, open_remote
from jelly_spark.errors import OptionError

FilePath: TypeAlias = str | os.PathLike[str]
"""A path, or a URL in a string."""

Readable: TypeAlias = FilePath | Source | bytes | bytearray | memoryview
"""What a reader reads from."""


class _Writer(Protocol):
    def write(self, data: bytes, /) -> object:
        """Take all the bytes."""


Writable: TypeAlias = FilePath | _Writer
"""What a writer writes to."""

_UNNAMED = "<stream>"
# Bytes that are copied at once.
_COPY = 1 << 20


def name_of(file: object) -> str | None:
    """Return the path of a file, or the name of a stream; None where it has none.

    Of a URL without what follows a `?`, so that the name ends with the file's extension.
    """
    if isinstance(file, (str, os.PathLike)):
        name = os.fsdecode(file)
        return name.partition("?")[0] if name.startswith(("http://", "https://")) else name
    stream_name = getattr(file, "name", None)
    return stream_name if isinstance(stream_name, str) else None


def check_target(path: FilePath) -> None:
    """Check that a file can be made at a path, so that errors name it, and not a temporary one.

    Raises:
        OSError: its folder does not exist, or it is a folder itself.
    """
    name = os.fsdecode(path)
    _check_path(name)
    # `realpath` drops a slash at the end, and would make a file of the folder that it means.
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


def _check_path(name: str) -> None:
    if not name:
        raise FileNotFoundError(ENOENT, "the path is empty", name)
    if "\0" in name:
        raise OptionError(f"a path must not hold a NUL character: {name!r}")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise OptionError(f"a path must not hold a lone surrogate: {name!r}") from None


def _check_stream(file: object, method: str, mode: str) -> BinaryIO:
    """Check that this is a stream of bytes, as far as can be seen without reading or writing.

    Raises:
        OptionError: it is not.
    """
    # The file of a `tempfile.NamedTemporaryFile` is inside.
    if isinstance(getattr(file, "file", file), io.TextIOBase) or isinstance(file, io.TextIOBase):
        raise _text_stream(file, mode)
    if isinstance(file, type) or not callable(getattr(file, method, None)):
        raise OptionError(f"file must be a path or a stream of bytes, not {type(file).__name__}")
    return cast(BinaryIO, file)


def _text_stream(file: object, mode: str) -> OptionError:
    name = name_of(file) or _UNNAMED
    return OptionError(f"{name} is a stream of text: open it with mode {mode!r}")


class InputStream:
    """What a reader reads: keeps the first bytes for hints, and checks that they are bytes."""

    def __init__(self, stream: Source) -> None:
        self._stream = stream
        self._read = stream.read
        self._at_start = True
        self.head = b""

    def read(self, size: int = -1) -> bytes:
        """Return up to this many bytes; none at the end."""
        data = self._read(size)
        if type(data) is not bytes:
            data = self._to_bytes(data)
        if self._at_start:
            self._at_start = False
            self.head = data[:HEAD_SIZE]
        return data

    def tell(self) -> int:
        """Return where the stream stands.

        Raises:
            OptionError: it has no `tell` or `seek`.
        """
        if not (hasattr(self._stream, "tell") and hasattr(self._stream, "seek")):
            raise OptionError("a part of a stream needs one that can seek")
        return cast(BinaryIO, self._stream).tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place of the stream."""
        self._at_start = False
        return cast(BinaryIO, self._stream).seek(offset, whence)

    def _to_bytes(self, data: object) -> bytes:
        if isinstance(data, str):
            raise _text_stream(self._stream, "rb")
        if data is None:
            raise BlockingIOError(
                "the stream is in non-blocking mode and has no bytes yet: pass a blocking stream"
            )
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise OptionError(f"a stream must return bytes, not {type(data).__name__}")
        return bytes(data)


class InputFile:
    """Where a reader reads from: a file that it opens and closes, bytes, or the caller's stream.

    Args:
        file: path or URL, bytes, or stream of bytes.

    Attributes:
        name: the file's path, the stream's name, or `<stream>` where it has none.
        stream: what to read from: the content of a file whose extension says that it is compressed.
        compressed: whether it is.

    Raises:
        MissingPackageError: the file needs a package that is not installed.
        OptionError: this is no file.
        OSError: the file cannot be opened.
    """

    def __init__(self, file: Readable) -> None:
        self._owned: BinaryIO | None = None
        self.compressed = False
        source: Source
        if isinstance(file, (str, os.PathLike)):
            self.name: str = os.fsdecode(file)
            compression = compression_of(name_of(file) or "")
            self._owned = source = _open(self.name)
            if compression is not None:
                self.compressed = True
                try:
                    source = compression.decompress(source)
                except BaseException:
                    self._owned.close()
                    raise
        elif isinstance(file, (bytes, bytearray, memoryview)):
            self.name = _UNNAMED
            source = io.BytesIO(bytes(file))
        else:
            source = _check_stream(file, "read", "rb")
            self.name = name_of(file) or _UNNAMED
        self._stream = InputStream(source)
        self.stream = cast(BinaryIO, self._stream)

    def find_hint(self, format: str) -> str | None:
        """Return what the file looks like, if not as one of this format; see `hints`."""
        return find_hint(self._stream.head, format)

    def close(self) -> None:
        """Close the file; a stream of the caller is left open."""
        if self._owned is not None:
            self._owned.close()


def _open(name: str) -> BinaryIO:
    _check_path(name)
    path = local_path(name) or name
    if is_url(path):
        return open_remote(path)
    _check_path(path)
    if os.path.isdir(path):
        raise IsADirectoryError(EISDIR, "this is a folder: read its files one by one", name)
    return open(path, "rb")


class OutputFile:
    """Where a writer writes to: the caller's stream, or a file that takes its name at the end.

    What is no file (a pipe, a device) stays what it is, and is written to. A file that is replaced
    gives its permissions to the new one; other hard links to it keep the old content.

    To append to a file, its content is copied first: it stays as it is until the end, and after an
    error. What is appended to a compressed file is compressed by itself.

    Where it is garbage collected before `keep` or `discard`, the file is removed with a
    `ResourceWarning`.

    Args:
        file: path or URL, or stream of bytes.
        append: whether to write after what the file holds. A stream is moved to its end.

    Attributes:
        stream: what to write to: it compresses for a file whose extension says so.
        follows: whether something is before what will be written; of a pipe or a stream that
            cannot say where it stands, whether it is appended to.

    Raises:
        MissingPackageError: the file needs a package that is not installed.
        OptionError: this is no file.
        OSError: the file cannot be opened.
    """

    def __init__(self, file: Writable, *, append: bool = False) -> None:
        self._target: _LocalOutput | RemoteOutput | None = None
        self._sink: Sink | None = None
        if isinstance(file, (str, os.PathLike)):
            compression = compression_of(name_of(file) or "")
            name = os.fsdecode(file)
            _check_path(name)
            path = local_path(name) or name
            self._target = RemoteOutput(path) if is_url(path) else _LocalOutput(path)
            self.stream: BinaryIO = self._target.stream
            self.follows = False
            if append:
                try:
                    self.follows = self._target.copy_old() or not is_replaced(file)
                except BaseException:
                    self._target.discard()
                    raise
            if compression is not None:
                try:
                    self._sink = compression.compress(self.stream)
                except BaseException:
                    self._target.discard()
                    raise
                self.stream = cast(BinaryIO, self._sink)
            self._finalizer = weakref.finalize(
                self, _abandon, name, self._target, self._sink, os.getpid()
            )
        elif isinstance(file, (bytes, bytearray, memoryview)):
            raise OptionError("bytes cannot be written to: pass an io.BytesIO()")
        else:
            self.stream = _check_stream(file, "write", "wb")
            self.follows = _goes_to_end(self.stream) if append else _is_after_start(self.stream)

    def flush(self) -> None:
        """Pass on what was written, to the file or through the caller's stream."""
        flush = getattr(self.stream, "flush", None)
        if flush is not None:
            flush()
        if self._sink is not None and self._target is not None:
            self._target.stream.flush()

    def keep(self) -> None:
        """Close the file, which takes its name; a stream of the caller is left open.

        Raises:
            OSError: it cannot; then the file is removed.
        """
        if self._target is not None:
            self._finalizer.detach()
            if self._sink is not None:
                try:
                    self._sink.close()
                except BaseException:
                    self._target.discard()
                    raise
            self._target.keep()

    def discard(self) -> None:
        """Close the file and remove it; a stream of the caller is left as it is."""
        if self._target is not None:
            self._finalizer.detach()
            _discard(self._target, self._sink)


def is_replaced(file: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether this is a path or URL whose file a writer replaces: no pipe, and no device."""
    if not isinstance(file, (str, os.PathLike)):
        return False
    path = os.fsdecode(file)
    path = local_path(path) or path
    return is_url(path) or not os.path.exists(path) or os.path.isfile(path)


def _goes_to_end(stream: BinaryIO) -> bool:
    """Move a stream to its end; return whether anything may be before it.

    What cannot move, such as a pipe or a compressed stream, cannot say where it stands either.
    """
    try:
        return stream.seek(0, os.SEEK_END) > 0
    except (AttributeError, OSError, TypeError, ValueError):
        return True


def _is_after_start(stream: BinaryIO) -> bool:
    """Return whether a stream, as far as it can say, is not at its start."""
    try:
        if stream.tell() > 0:
            return True
        # A file that was opened to append may say 0 before something is written.
        import fcntl  # not on Windows

        number = stream.fileno()
        appends = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_APPEND
        return bool(appends) and os.fstat(number).st_size > 0
    except (AttributeError, ImportError, OSError, TypeError, ValueError):
        return False


def _discard(target: _LocalOutput | RemoteOutput, sink: Sink | None) -> None:
    if sink is not None:
        # Else it would write the end of its data when it is garbage collected.
        with suppress(Exception):
            sink.close()
    target.discard()


def _abandon(
    name: str, target: _LocalOutput | RemoteOutput, sink: Sink | None, process: int
) -> None:
    """Remove the file of a writer that was never closed."""
    # The file belongs to the process that opened it, not to a fork.
    if os.getpid() != process:
        return
    with suppress(Exception):
        _discard(target, sink)
    warnings.warn(
        f"{name} is not written: its writer was not closed", ResourceWarning, stacklevel=2
    )


class _LocalOutput:
    """A file beside its target, that takes the target's name at the end.

    Attributes:
        stream: what to write to.
    """

    def __init__(self, path: str) -> None:
        check_target(path)
        self._path = Path(os.path.realpath(path))
        self._temporary: Path | None = None
        if self._path.is_file() or not self._path.exists():
            self._temporary = self._path.with_name(f".{secrets.token_hex(8)}.part")
            self.stream: BinaryIO = _create(self._temporary, self._path)
        else:
            self.stream = open(self._path, "wb")  # noqa: SIM115

    def copy_old(self) -> bool:
        """Copy the content of the file that will be replaced; return whether there is any."""
        if self._temporary is None or not self._path.exists():
            return False
        with open(self._path, "rb") as old:
            shutil.copyfileobj(old, self.stream, _COPY)
        return self.stream.tell() > 0

    def keep(self) -> None:
        """Close the file and give it its name."""
        try:
            self.stream.close()
            if self._temporary is not None:
                os.replace(self._temporary, self._path)
        except BaseException:
            self._remove()
            raise

    def discard(self) -> None:
        """Close the file and remove it."""
        try:
            self.stream.close()
        finally:
            self._remove()

    def _remove(self) -> None:
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)


def _create(path: Path, replaced: Path) -> BinaryIO:
    """Create a file, with the permissions of the one that it will replace, if there is one."""
    try:
        mode = stat.S_IMODE(replaced.stat().st_mode) & 0o777
    except FileNotFoundError:
        return open(path, "xb")
    # At no time does the file have more permissions than the other.
    file = open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
    # Not all file systems have permissions.
    with suppress(OSError):
        path.chmod(mode)
    return file
