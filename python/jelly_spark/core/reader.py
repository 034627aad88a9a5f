"""What the readers of all formats have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from typing import Any, BinaryIO, ClassVar, Generic, TypeVar

from jelly_spark.core.files import InputFile, Readable
from jelly_spark.core.malformed_input import Place, Violation
from jelly_spark.errors import MalformedInputError

R = TypeVar("R")
_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="RowReader[Any]")


class RowReader(ABC, Generic[R]):
    """Iterates once over the rows of a file, in bounded memory; a context manager.

    The rows before an error are delivered. A file that was given as a path or URL is closed at the
    end of the rows, by `close`, or at the end of a `with` block. A stream is left open.

    Subclasses turn bytes into rows, and know where in the file reading is.

    Args:
        file: path, URL, bytes, or stream of bytes, which is read from its current position on. If
            a path or URL ends with `.gz` or `.zst`, the file is decompressed.

    Raises:
        MalformedInputError: while iterating: the input breaks the format.
        MissingPackageError: the file needs a package that is not installed.
        OptionError: `file` is not something to read bytes from.
        OSError: the file cannot be read.
    """

    format: ClassVar[str]
    """The short name of the format."""

    def __init__(self, file: Readable) -> None:
        # Why there are no more rows; None while there may be.
        self._ended: str | None = None
        self._input = InputFile(file)
        self._rows = self._guarded(self._read(self._input.stream))

    @abstractmethod
    def _read(self, stream: BinaryIO) -> Iterator[R]:
        """Yield the rows of the stream, from where it stands.

        Nothing may be read before the first row is asked for: the constructor has not ended yet.

        Raises:
            Violation: the input breaks the format.
        """

    @abstractmethod
    def _place(self, violation: Violation) -> Place:
        """Return where reading stands: where in the input this was just raised."""

    def __iter__(self) -> Iterator[R]:
        self._check_open()
        # The generator itself: a `next` of this class would be another call for each row.
        return self._rows

    def __next__(self) -> R:
        self._check_open()
        return next(self._rows)

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the iteration, and close the file if it was given as a path; may be called again.

        `iter` and `next` raise a `ValueError` from then on, as they do where the rows came to their
        end before.
        """
        if self._ended is None:
            self._ended = "is closed"
        self._rows.close()
        self._input.close()

    def _check_open(self) -> None:
        if self._ended is not None:
            raise ValueError(f"the reader of {self._input.name} {self._ended}")

    def _guarded(self, items: Iterator[_T]) -> Generator[_T, None, None]:
        """Yield the items; a violation becomes an error that says where, and the file is closed."""
        try:
            yield from items
        except Violation as violation:
            self._ended = "stopped at an error"
            place = self._place(violation)
            hint = self._input.find_hint(self.format)
            raise MalformedInputError(
                self._input.name, *place, violation.expected, violation.found, hint
            ) from None
        except Exception:
            self._ended = "stopped at an error"
            raise
        else:
            self._ended = "is exhausted: its rows were read before"
        finally:
            self._input.close()
