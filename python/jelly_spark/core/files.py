"""The files and streams that readers read from and writers write to."""

from __future__ import annotations

import os
import secrets
from errno import EISDIR, ENOENT
from pathlib import Path
from typing import BinaryIO


def check_target(path: str | os.PathLike[str]) -> None:
    """Check that a file can be made at a path, so that errors name it, and not a temporary one.

    Raises:
        OSError: its folder is none, or it is a folder itself.
    """
    name = os.fspath(path)
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, "no such folder", name)
    if target.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), name)


class InputFile:
    """Where a reader reads from: a file that it opens and closes, or the caller's stream.

    Attributes:
        name: the file's path, the stream's name, or `<stream>` where it has none.
        stream: what to read from.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        self._owned = isinstance(file, (str, os.PathLike))
        if isinstance(file, (str, os.PathLike)):
            self.name = os.fspath(file)
            self.stream: BinaryIO = open(file, "rb")  # noqa: SIM115 (closed by close)
        else:
            name = getattr(file, "name", None)
            self.name = name if isinstance(name, str) else "<stream>"
            self.stream = file

    def close(self) -> None:
        """Close the file; a stream of the caller is left open."""
        if self._owned:
            self.stream.close()


class OutputFile:
    """Where a writer writes to: the caller's stream, or a file that takes its name at the end.

    What is no file (a pipe, a device) stays what it is, and is written to.

    Attributes:
        stream: what to write to.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        self._temporary: Path | None = None
        self._owned = isinstance(file, (str, os.PathLike))
        if isinstance(file, (str, os.PathLike)):
            check_target(file)
            self._path = Path(os.path.realpath(file))
            opened = self._path
            if self._path.is_file() or not self._path.exists():
                opened = self._temporary = self._path.with_name(f".{secrets.token_hex(8)}.part")
            self.stream: BinaryIO = open(opened, "xb" if self._temporary else "wb")  # noqa: SIM115
        else:
            self.stream = file

    def keep(self) -> None:
        """Close the file, which takes its name; a stream of the caller is left open.

        Raises:
            OSError: it cannot; then the file is removed.
        """
        if self._owned:
            try:
                self.stream.close()
                if self._temporary is not None:
                    os.replace(self._temporary, self._path)
            except BaseException:
                self._remove()
                raise

    def discard(self) -> None:
        """Close the file and remove it; a stream of the caller is left as it is."""
        if self._owned:
            try:
                self.stream.close()
            finally:
                self._remove()

    def _remove(self) -> None:
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)
