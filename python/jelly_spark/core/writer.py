"""The base class of all writers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from types import TracebackType
from typing import Any, ClassVar, Generic, TypeVar

from jelly_spark.core.files.output_file import OutputFile, Writable
from jelly_spark.core.options import check_bool
from jelly_spark.core.rows import AnyRow, check_row, unwritable
from jelly_spark.errors import InvalidTermError, OptionError, UnwritableRowError

R = TypeVar("R", bound=AnyRow)
_Self = TypeVar("_Self", bound="RowWriter[Any]")


class RowWriter(ABC, Generic[R]):
    """Writes rows to a file, in the order in which they are given; a context manager.

    If `file` is a path, the file appears when the writer is closed. After an error, the file that
    was there before is unchanged. If `file` is a URL, the bytes are written to a temporary file
    beside the target, and copied to the target at the end. A stream is left open, and nothing more
    is written to it after an error. A writer that is garbage-collected before it is closed removes
    its temporary file, with a `ResourceWarning`.

    Subclasses encode the rows, and write the bytes to `self._stream`.

    Args:
        file: path, URL, or buffered stream of bytes. If a path or URL ends with `.gz` or `.zst`,
            the file is compressed.
        append: whether to append to the file instead of replacing it. A file that is not a stream
            is copied for that.

    Raises:
        MissingPackageError: the file needs a package that is not installed.
        OptionError: `file` is not something to write bytes to.
        OSError: the file cannot be written.
    """

    row: ClassVar[type[AnyRow]]
    """The class of the format's rows."""

    def __init__(self, file: Writable, *, append: bool) -> None:
        check_bool("append", append)
        self._output = OutputFile(file, append=append)
        # Whether there is content before that of this writer.
        self._follows = self._output.follows
        self._stream = self._output.stream
        self._done = False
        self._row = self.row

    @abstractmethod
    def _write(self, row: R) -> None:
        """Write a row, or buffer it.

        Raises:
            InvalidTermError: a string is not a term.
            UnwritableRowError: the row is not valid, breaks a rule of the format, or does not fit
                the options. Implementations give only the rule; the caller adds the row.
        """

    @abstractmethod
    def _pass_on(self) -> None:
        """Write the buffered rows that may be written before more rows come; see `flush`."""

    @abstractmethod
    def _finish(self) -> None:
        """Write the remaining rows and the end of the file.

        Raises:
            UnwritableRowError: the file may not end here.
        """

    def write(self, row: R) -> None:
        """Write a row.

        Raises:
            UnwritableRowError: the row is not of the format's class, is not valid, breaks a rule of
                the format, or does not fit the options. The writer then accepts no more rows.
            ValueError: the writer is closed, or an earlier call failed.
        """
        # `_check_open` inlined, because this runs for every row.
        if self._done:
            raise _not_open()
        try:
            if type(row) is not self._row:
                self._check_class(row)
            self._write(row)
        except (InvalidTermError, UnwritableRowError) as error:
            self._discard()
            raise unwritable(error, row) from None
        except Exception:
            self._discard()
            # If a column has a wrong type, that is the cause; if not, pass the exception on.
            try:
                check_row(row, self._row)
            except UnwritableRowError as error:
                raise unwritable(error, row) from None
            raise
        except BaseException:
            self._discard()
            raise

    def write_all(self, rows: Iterable[R]) -> int:
        """Write rows, and return their number; errors are those of `write`.

        Raises:
            OptionError: `rows` is not iterable.
        """
        try:
            iterator = iter(rows)
        except TypeError as error:
            raise OptionError(
                f"rows must be an iterable of rows, not {type(rows).__name__}"
            ) from error
        count = 0
        write = self.write
        for row in iterator:
            write(row)
            count += 1
        return count

    def flush(self) -> None:
        """Write the buffered rows to the file or stream, as far as the format allows.

        In the Jelly formats, this ends the current frame if the end of a frame has no meaning: in
        `PUNCTUATED` and `FLAT` streams of Jelly-Patch, and in streams of Jelly-RDF that are not
        grouped. Still buffered are the patch of a `FRAME` stream, the frame of a grouped stream,
        and, in a file that has restart points, the last frame, which may have to hold the index.

        The bytes of the file can depend on the calls of `flush`. Without such calls, the same rows
        always give the same bytes.

        Raises:
            OSError: the file cannot be written.
            ValueError: the writer is closed, or an earlier call failed.
        """
        self._check_open()
        try:
            self._pass_on()
            self._output.flush()
        except BaseException:
            self._discard()
            raise

    def close(self) -> None:
        """Write the remaining rows, and give the file its name. After an error, only clean up.

        Raises:
            OSError: the file cannot be written.
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
            raise _not_open()

    def _check_class(self, row: object) -> None:
        if not isinstance(row, self._row):
            check_row(row, self._row)

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


def _not_open() -> ValueError:
    return ValueError("the writer is closed, or an earlier write failed")
