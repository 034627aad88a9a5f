"""What the readers of all formats have in common."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from typing import Any, BinaryIO, Generic, TypeVar

from jelly_spark.core.files import InputFile
from jelly_spark.core.malformed_input import Place, Violation
from jelly_spark.errors import MalformedInputError

R = TypeVar("R")
_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="RowReader[Any]")


class RowReader(ABC, Generic[R]):
    """Iterates once over the rows of a file, in bounded memory.

    Rows before an error are delivered. A file that was given as a path is closed at the end, by
    `close`, or by leaving the `with` block; a stream is left open.

    A format's own reader adds how bytes become rows, and where reading stands.

    Args:
        file: path, or stream of bytes, which is read from its current position on.

    Raises:
        MalformedInputError: while iterating: the input breaks the format.
        OSError: the file cannot be read.
    """

    def __init__(self, file: str | os.PathLike[str] | BinaryIO) -> None:
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
        return self._rows

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the iteration, and close the file if it was given as a path."""
        self._rows.close()
        self._input.close()

    def _guarded(self, items: Iterator[_T]) -> Generator[_T, None, None]:
        """Yield the items; a violation becomes an error that says where, and the file is closed."""
        try:
            yield from items
        except Violation as violation:
            place = self._place(violation)
            raise MalformedInputError(
                self._input.name, *place, violation.expected, violation.found
            ) from None
        finally:
            self._input.close()
