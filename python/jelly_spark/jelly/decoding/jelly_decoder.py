"""The base class of the decoders of both Jelly formats, from messages to rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from jelly_spark.core.columns import Columns
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import RowOp
from jelly_spark.jelly.decoding.fast_path import FastRows
from jelly_spark.jelly.decoding.message_size import check_message_size
from jelly_spark.jelly.decoding.term_decoder import TermDecoder
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.wire import BYTES, PARSE_ERRORS

R = TypeVar("R")
O = TypeVar("O", bound=JellyOptions)  # noqa: E741 (beside R)


class JellyDecoder(ABC, Generic[R, O]):
    """Decodes the rows of one stream, in order.

    This class decodes options and lookup entries. A subclass for each format checks the options and
    decodes the other rows. `decode_run` decodes rows on the fast path, and `decode` the next row
    with Protobuf; see `fast_path`.

    Args:
        message: the class of a row's message.
        start: the place in the file where the stream begins.
        max_row_size: the reader's option.
    """

    # Set by the options row, which comes before all other rows.
    _terms: TermDecoder

    def __init__(self, message: type[Message], start: RestartPoint, max_row_size: int) -> None:
        self._message = message
        self._max_row_size = max_row_size
        self._restarted = start.offset > 0
        self._options: O | None = None
        # The values of all fields of the first options row.
        self._first_options: tuple[object, ...] = ()
        # The functions that decode the one field of a row, by the field's name.
        self._handlers: dict[str, Callable[[Any], R | None]] = {"options": self._take_options}
        # None before the options row.
        self._fast: FastRows | None = None

    @property
    def options(self) -> O | None:
        """The options of the stream; None before the options row.

        Options that a stream does not state, such as the frame size, have their defaults.
        """
        return self._options

    @abstractmethod
    def _read_options(self, message: Any) -> O:
        """Check the first options row, and return its options.

        Raises:
            Violation: an option is not valid, or exceeds the reader's limits.
        """

    @abstractmethod
    def _begin(self, options: O) -> Mapping[str, Callable[[Any], R | None]]:
        """Begin a stream with these options, and return the handlers of its rows.

        Returns:
            For each name of a field, a function from the field's value to the row to return, or to
            None if the field stands for no such row.
        """

    @abstractmethod
    def _fast_statements(self) -> tuple[type[Message], str, Mapping[str, RowOp]]:
        """Return what the fast path decodes; called after `_begin`.

        Returns:
            The class of a statement's message; the first letters of its fields, in the order of the
            positions; and the code of a row, by the name of the field in which it has a statement.
        """

    def _allows_fast_statements(self) -> bool:
        """Return whether the next row may be a statement that the fast path decodes."""
        return self._terms.holds_short_terms()

    @abstractmethod
    def _number(self, statements: FastRows) -> Columns:
        """Number the statements that the fast path has decoded, and return their columns."""

    @abstractmethod
    def end_frame(self) -> R | None:
        """Handle the end of a frame; return the row that it stands for, if any.

        Raises:
            Violation: the frame may not end here.
        """

    def skip_frames(self, count: int) -> None:
        """Handle the ends of empty frames, after `end_frame` has returned None for one."""

    @abstractmethod
    def end_stream(self) -> None:
        """Check that the stream may end here.

        Raises:
            Violation: the stream may not end here.
        """

    @abstractmethod
    def position(self, offset: int, frames: int) -> RestartPoint:
        """Return the current place in the file as a restart point would describe it.

        Args:
            offset: byte offset of the next frame.
            frames: number of frames before it.
        """

    def end_range(self) -> None:
        """Check that the restart range may end here.

        Raises:
            Violation: the range may not end here.
        """

    def restart(self, data: bytes | bytearray | None) -> None:
        """Check the first row after a restart point: it must repeat the options row.

        Args:
            data: the bytes of the row; None if the frame has no rows.

        Raises:
            Violation: the row does not repeat the options of this stream.
        """
        if data is None:
            raise Violation("an options row first", "no row", in_row=False)
        kind, message = self._parse(data)
        if kind != "options":
            raise _no_options(kind)
        self._take_options(message)

    def decode_run(self, data: bytes, at: int, last: int) -> tuple[int, int]:
        """Decode rows of the common shape; `take_columns` then returns their columns.

        Args:
            data: the bytes of a frame, or of a part of it.
            at: index where the first row begins, with its tag.
            last: index after the bytes of the frame that are there.

        Returns:
            The index of the first row that was not decoded, and the number of rows before it.
        """
        fast = self._fast
        if fast is None:
            return at, 0
        at = fast.decode(data, at, last)
        return at, fast.rows

    def take_columns(self) -> Columns | None:
        """Return the columns of the rows of the last run; None if it had no row to return."""
        fast = self._fast
        return self._number(fast) if fast is not None and fast.count else None

    def decode(self, data: bytes | bytearray) -> R | None:
        """Decode a row; return None for rows that are not returned, such as lookup entries.

        Long rows come as a bytearray, which is emptied to free its memory.

        Raises:
            Violation: the row is malformed.
        """
        kind, message = self._parse(data)
        if self._options is None and kind != "options":
            raise _no_options(kind)
        if kind != "options":
            self._terms.text.begin_row()
        row = self._handlers[kind](message)
        if self._fast is not None:
            self._fast.statements = self._allows_fast_statements()
        return row

    def _parse(self, data: bytes | bytearray) -> tuple[str, Any]:
        """Return the name and the value of the one field that a row has."""
        check_message_size(data, self._message, self._max_row_size)
        try:
            # Protobuf accepts a bytearray, but its annotations do not say so.
            message: Any = self._message.FromString(data)  # type: ignore[arg-type]
        except PARSE_ERRORS:
            raise Violation(
                "a well-formed row", f"{len(data)} bytes that are not a message of the schema"
            ) from None
        if isinstance(data, bytearray):
            # The message has a copy of the data, and decoding may need the memory.
            data.clear()
        kind = message.WhichOneof("row")
        if kind is None:
            raise Violation("a row of a known kind", "a row without a known field")
        return kind, getattr(message, kind)

    def _take_options(self, message: Any) -> None:
        """Begin the stream at the first options row, and check that later ones equal it."""
        values = tuple(getattr(message, field.name) for field in message.DESCRIPTOR.fields)
        if self._options is None:
            self._options = self._read_options(message)
            self._first_options = values
            self._terms = terms = TermDecoder(
                self._options, self._max_row_size, restarted=self._restarted
            )
            self._take_entries("name", terms.iris.set_name)
            self._take_entries("prefix", terms.iris.set_prefix)
            self._take_entries("datatype", terms.set_datatype)
            self._handlers.update(self._begin(self._options))
            statement, letters, ops = self._fast_statements()
            entries = (self._tag("name"), self._tag("prefix"), self._tag("datatype"))
            by_tag = {self._tag(field): op for field, op in ops.items()}
            self._fast = FastRows(terms, entries, statement, letters, by_tag)
        elif values != self._first_options:
            raise Violation("the options of the first options row", "different options")

    def _take_entries(self, field: str, set_entry: Callable[[int, str], object]) -> None:
        """Add the handler of the rows with this field, the entries of a lookup."""

        def take(entry: Any) -> None:
            set_entry(entry.id, entry.value)

        self._handlers[field] = take

    def _tag(self, field: str) -> int:
        return self._message.DESCRIPTOR.fields_by_name[field].number << 3 | BYTES


def _no_options(kind: str) -> Violation:
    return Violation("an options row first", f"a {kind} row")
