"""The base class of all readers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Generic, TypeVar

from jelly_spark.core.columns import Columns
from jelly_spark.core.columns.arrow_batches import DEFAULT_BATCH_SIZE, column_batches
from jelly_spark.core.files.hints import Beginning
from jelly_spark.core.files.input_file import InputFile, Readable
from jelly_spark.core.malformed_input import Place, Violation
from jelly_spark.core.options import check_bool
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE, check_max_row_size
from jelly_spark.core.rows import AnyRow
from jelly_spark.errors import MalformedInputError

if TYPE_CHECKING:
    import pyarrow as pa

R = TypeVar("R")
_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="RowReader[Any]")


class Skipping(Enum):
    """What can be left out of malformed input, to go on after it."""

    NOTHING = "nothing"
    LINE = "the malformed line"
    REST = "all up to the next restart point, or to the end of the file"


class RowReader(ABC, Generic[R]):
    """Iterates once over the rows of a file, in bounded memory; a context manager.

    The rows before an error are returned. A file that was given as a path or URL is closed after
    its last row, by `close`, or at the end of a `with` block. A stream is left open.

    Subclasses decode rows from bytes, and know the current place in the file.

    Args:
        file: path, URL, bytes, or stream of bytes, which is read from its current position on. If
            a path or URL ends with `.gz` or `.zst`, the file is decompressed.
        strict: whether to reject what the specification does not allow, but others read.
        max_row_size: the largest size of a row in bytes, from 1 to 2147483647, both in the file and
            of its terms as canonical strings.

    Raises:
        MalformedInputError: while iterating: the input breaks the format.
        MissingPackageError: the file needs a package that is not installed.
        OptionError: `file` is not something to read bytes from, or another argument has a wrong
            type or is out of range.
        OSError: the file cannot be read.
    """

    format: ClassVar[str]
    """The short name of the format."""

    row: ClassVar[type[AnyRow]]
    """The class of the rows."""

    columns: tuple[str, ...]
    """The columns that the rows have in Spark and in Arrow."""

    start: bytes
    """A pattern for the beginning of the files; see `core.files.hints`."""

    beginnings: ClassVar[tuple[Beginning, ...]] = ()
    """How files begin that have this format, and are read as another one or from a pipe."""

    is_text: ClassVar[bool] = False
    """Whether the files are text."""

    skipping: ClassVar[Skipping] = Skipping.NOTHING
    """What can be left out of a malformed file."""

    def __init__(
        self, file: Readable, *, strict: bool = False, max_row_size: int = DEFAULT_MAX_ROW_SIZE
    ) -> None:
        check_bool("strict", strict)
        check_max_row_size(max_row_size)
        self._strict = strict
        self._max_row_size = max_row_size
        # Why the iteration has ended, for error messages; None before that.
        self._ended: str | None = None
        self._input = InputFile(file)
        self._rows = self._guarded(self._read(self._input.stream))

    @abstractmethod
    def _read(self, stream: BinaryIO) -> Iterator[R]:
        """Yield the rows of the stream, from its current position on.

        It is called in the constructor, and must not read anything before the first row is
        requested, as a generator does.

        Raises:
            Violation: the input breaks the format.
        """

    @abstractmethod
    def _place(self, violation: Violation) -> Place:
        """Return the current place in the input, where the violation was just raised."""

    def _hint(self) -> str | None:
        """Return advice if the file looks like one of another format, for an error message."""
        return self._input.find_hint(self.start)

    @property
    def position(self) -> int | None:
        """The number of bytes of the file before its current position, which shows the progress.

        Bytes are read in blocks, and those of a compressed file count before decompression. None if
        the number is not known: for a stream that does not tell it, and after the last row.
        """
        return self._input.position()

    def __iter__(self) -> Iterator[R]:
        self._check_open()
        # Return the generator itself, to save a call of `__next__` for each row.
        return self._rows

    def __next__(self) -> R:
        self._check_open()
        return next(self._rows)

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def to_arrow(self, size: int = DEFAULT_BATCH_SIZE) -> pa.RecordBatchReader:
        """Return the rest of the rows as Arrow record batches, a `pyarrow.RecordBatchReader`.

        It reads rows as its batches are read. The columns are those that Spark has for the format:
        `int64` for the ordinals `patch`, `tx`, `frame` and `seq`, and `string` for all others.

            with codec.open_reader("changes.jellyp") as reader:
                table = reader.to_arrow().read_all()

        Args:
            size: the most rows in a batch, from 1 to 2147483647. A batch with long texts has fewer.

        Raises:
            MalformedInputError: while reading batches: the input breaks the format.
            MissingPackageError: pyarrow is not installed: it needs the extra `jelly-spark[arrow]`.
            OptionError: `size` is not valid.
            ValueError: the reader is closed or exhausted.
        """
        return column_batches(self.items(), self.row, self.columns, size)

    def items(self) -> Iterator[R | Columns]:
        """Iterate over the rest of the rows, of which several at once can come as columns.

        Raises:
            MalformedInputError: while iterating: the input breaks the format.
            ValueError: the reader is closed or exhausted.
        """
        return iter(self)

    def look_up(self, known: Collection[tuple[str, str, str, str | None]]) -> None:
        """Let `items` also yield lists of known statements, where that is faster than reading them.

        To be called before `items`. Rows then cannot be iterated over.

        Args:
            known: the statements, tuples of their terms.
        """

    def close(self) -> None:
        """End the iteration, and close the file if it was given as a path; may be called again.

        After that, `iter` and `next` raise a `ValueError`. They also do after the last row.
        """
        if self._ended is None:
            self._ended = "is closed"
        self._rows.close()
        self._input.close()

    def _check_open(self) -> None:
        if self._ended is not None:
            raise ValueError(f"the reader of {self._input.name} {self._ended}")

    def _guarded(self, items: Iterator[_T]) -> Generator[_T, None, None]:
        """Yield the items, turn a `Violation` into the public error, and close the file."""
        try:
            yield from items
        except Violation as violation:
            self._ended = "stopped at an error"
            place = self._place(violation)
            raise MalformedInputError(
                self._input.name, *place, violation.expected, violation.found, self._hint()
            ) from None
        except Exception as error:
            self._ended = "stopped at an error"
            # The system names a file that cannot be opened, but not one that cannot be read.
            if isinstance(error, OSError) and error.errno and error.filename is None:
                error.filename = self._input.name
            raise
        else:
            self._ended = "is exhausted: its rows were read before"
        finally:
            self._input.close()
