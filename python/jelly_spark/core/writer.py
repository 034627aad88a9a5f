"""What the writers of all formats have in common."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Any, BinaryIO, Generic, TypeVar

from jelly_spark.core.files import OutputFile
from jelly_spark.core.rows import AnyRow, describe_row
from jelly_spark.errors import InvalidTermError, UnwritableRowError

R = TypeVar("R", bound=AnyRow)
_Self = TypeVar("_Self", bound="RowWriter[Any]")


class RowWriter(ABC, Generic[R]):
    """Writes rows to a file, in their order; a context manager.

    A file given as a path appears, complete, when the writer is closed; after an error it is left
    as it was. A stream is left open, and nothing more is written to it after an error.

    A format's own writer adds how rows become bytes, which go to `self._stream`.

    Args:
        file: path, or buffered stream of bytes.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        self._output = OutputFile(file)
        self._stream = self._output.stream
        self._done = False

    @abstractmethod
    def _write(self, row: R) -> None:
        """Write a row, or keep it until there is more.

        Raises:
            InvalidTermError: a term is none.
            UnwritableRowError: the row is not valid, breaks a rule of the format, or does not fit
                the options. Only the rule need be given: the row is added.
        """

    @abstractmethod
    def _finish(self) -> None:
        """Write what is left.

        Raises:
            UnwritableRowError: the file may not end here.
        """

    def write(self, row: R) -> None:
        """Write a row.

        Raises:
            UnwritableRowError: the row is not valid, breaks a rule of the format, or does not fit
                the options. Then the writer takes no more rows.
            ValueError: the writer is closed, or had an error before.
        """
        self._check_open()
        try:
            self._write(row)
        except (InvalidTermError, UnwritableRowError) as error:
            self._discard()
            raise UnwritableRowError(str(error), describe_row(row)) from None
        except BaseException:
            self._discard()
            raise

    def close(self) -> None:
        """Write what is left, and put the file in its place. After an error it only cleans up.

        Raises:
            UnwritableRowError: the file may not end here.
        """
        if self._done:
            return
        try:
            self._finish()
        except BaseException:
            self._discard()
            raise
        self._done = True
        self._output.keep()

    def _check_open(self) -> None:
        if self._done:
            raise ValueError("the writer is closed, or failed before")

    def _discard(self) -> None:
        self._done = True
        self._output.discard()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        elif not self._done:
            self._discard()
