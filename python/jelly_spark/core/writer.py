"""The base classes of the writers, of all formats and of patch formats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, TypeVar

from jelly_spark.core.files.output_file import OutputFile, Writable
from jelly_spark.core.options import WriteOptions, check_bool, check_class
from jelly_spark.core.rows import (
    AnyRow,
    PatchRow,
    as_row,
    check_row,
    is_ordinal,
    unwritable,
)
from jelly_spark.core.transactions import TransactionGuard
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
        options: the options of the format.
        append: whether to append to the file instead of replacing it. A file that is not a stream
            is copied for that.

    Raises:
        MissingPackageError: the file needs a package that is not installed.
        OptionError: `file` is not something to write bytes to, or the options are those of another
            format.
        OSError: the file cannot be written.
    """

    row: ClassVar[type[AnyRow]]
    """The class of the format's rows."""

    options: ClassVar[type[WriteOptions]]
    """The class of the format's options."""

    @staticmethod
    def fitting(rows: Iterable[Any]) -> Iterable[Any]:
        """Return rows without what the format cannot hold of prefixes; by default, as they are."""
        return rows

    def __init__(self, file: Writable, options: WriteOptions, *, append: bool) -> None:
        check_class("options", options, self.options)
        check_bool("append", append)
        if append:
            self._check_old(file, options)
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

    def _check_old(self, file: Writable, options: WriteOptions) -> None:
        """Check that rows can follow what is in a file; by default, they always can.

        Raises:
            MalformedInputError: the file is malformed.
            OptionError: the options do not fit the file.
        """

    def _pass_on(self) -> None:
        """Write the buffered rows that may be written before more rows come; see `flush`."""

    def _finish(self) -> None:
        """Write the remaining rows and the end of the file.

        Raises:
            UnwritableRowError: the file may not end here.
        """

    def write(self, row: R) -> None:
        """Write a row; of RDF data, a statement can also be a tuple of three or four terms.

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
                row = as_row(row, self._row)
            self._write(row)
        except Exception as error:
            self._discard()
            found: Exception = error
            # If a column has a wrong type, that is the cause, whatever it has led to.
            if isinstance(row, self._row):
                try:
                    check_row(row, self._row)
                except UnwritableRowError as cause:
                    found = cause
            if isinstance(found, (InvalidTermError, UnwritableRowError)):
                raise unwritable(found, row) from None
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

    def _discard(self) -> None:
        self._done = True
        self._output.discard()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            self.close()
        elif not self._done:
            self._discard()


def _not_open() -> ValueError:
    return ValueError("the writer is closed, or an earlier write failed")


class PatchRowWriter(RowWriter[PatchRow]):
    """Writes the rows of patches to a file; see `RowWriter`.

    A new value in `patch` ends the current patch, unless the previous row was an `END`. The end of
    the input does not add an `END`. A transaction must be closed in its patch. Rows whose `seq`
    counts up from 0 without a gap are exempt: they are the rows of a file as a reader returned
    them, and are written as they were read. `tx` is ignored.

    Subclasses encode the rows, including the `END` rows that this class adds.
    """

    row = PatchRow

    def __init__(self, file: Writable, options: WriteOptions, *, append: bool) -> None:
        super().__init__(file, options, append=append)
        self._transactions = TransactionGuard()
        # `patch` and `tx` of the previous row, and whether it was an `END`. At the start, there is
        # no patch to end.
        self._patch: int | None = None
        self._tx: int | None = None
        self._ended = True

    @abstractmethod
    def _put(self, row: PatchRow) -> None:
        """Write a row that follows the transaction rules; see `_write`."""

    def _write(self, row: PatchRow) -> None:
        op, _, _, _, _, _, _, patch, tx, seq = row
        # Fast path: most rows share these objects with the previous row, so their types are known.
        if (
            patch is not self._patch
            or tx is not self._tx
            or (type(seq) is not int and seq is not None)
        ):
            if not (is_ordinal(patch) and is_ordinal(tx) and is_ordinal(seq)):
                check_row(row, PatchRow)
            if patch != self._patch and not self._ended:
                self._transactions.check_patch_end(seq)
                self._put(PatchRow("END"))
            self._patch = patch
            self._tx = tx
        self._transactions.check(op, seq)
        self._put(row)
        self._ended = op == "END"

    def _finish(self) -> None:
        self._transactions.check_end()
