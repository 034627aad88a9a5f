"""The base class of the decoders of both Jelly formats, from messages to rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.varint import ONE_BYTE_MAX
from jelly_spark.jelly.decoding.fast_path import FAST_PATH_MISSES, parse_entry
from jelly_spark.jelly.decoding.message_size import check_message_size
from jelly_spark.jelly.decoding.term_decoder import TermDecoder
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.wire import BYTES, PARSE_ERRORS, second_byte

R = TypeVar("R")
O = TypeVar("O", bound=JellyOptions)  # noqa: E741 (beside R)


class JellyDecoder(ABC, Generic[R, O]):
    """Decodes the rows of one stream, in order.

    This class decodes options and lookup entries. A subclass for each format checks the options and
    decodes the other rows. `decode` tries the fast path first, and falls back to Protobuf; see
    `fast_path`.

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
        # The functions that decode the one field of a row: from a message, by the field's name; and
        # from bytes, by the field's tag.
        self._handlers: dict[str, Callable[[Any], R | None]] = {"options": self._take_options}
        self._fast_handlers: dict[int, Callable[[Any, int], R | None]] = {}
        self._fast_statement_tags: tuple[int, ...] = ()

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
    def _begin_fast_path(self) -> Mapping[str, Callable[[bytes, int], R | None]]:
        """Return the fast path's handlers by the name of the field; called after `_begin`.

        Each takes the bytes of a row and the index where the field's value begins. If it cannot
        decode the row, it changes no state and raises one of `FAST_PATH_MISSES`.
        """

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

    def decode(self, data: bytes | bytearray) -> R | None:
        """Decode a row; return None for rows that are not returned, such as lookup entries.

        Long rows come as a bytearray, which is emptied to free its memory.

        Raises:
            Violation: the row is malformed.
        """
        decode_fast = self._fast_handlers.get(data[0]) if data else None
        if decode_fast is not None:
            try:
                # In the common shape, a row is one field: a tag, a length of one or two bytes, and
                # the value up to the end.
                size = data[1]
                at = 2
                if size > ONE_BYTE_MAX:
                    size += second_byte(data, 2)
                    at = 3
                if at + size == len(data):
                    return decode_fast(data, at)
            except FAST_PATH_MISSES:
                pass
        return self._decode_message(data)

    def _decode_message(self, data: bytes | bytearray) -> R | None:
        kind, message = self._parse(data)
        if self._options is None and kind != "options":
            raise _no_options(kind)
        text = self._terms.text if kind != "options" else None
        if text is not None:
            text.begin_row()
        row = self._handlers[kind](message)
        # Later rows can repeat the terms of this row, whose sizes the fast path does not count.
        if text is not None and text.size > self._max_row_size // 4:
            self._leave_fast_path()
        return row

    def _leave_fast_path(self) -> None:
        for tag in self._fast_statement_tags:
            self._fast_handlers.pop(tag, None)

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
            fast = {self._tag(field): take for field, take in self._begin_fast_path().items()}
            self._fast_handlers.update(fast)
            self._fast_statement_tags = tuple(fast)
        elif values != self._first_options:
            raise Violation("the options of the first options row", "different options")

    def _take_entries(self, field: str, set_entry: Callable[[int, str], object]) -> None:
        """Add the handlers of the rows with this field, the entries of a lookup."""

        def take(entry: Any) -> None:
            set_entry(entry.id, entry.value)

        def take_fast(data: bytes, at: int) -> None:
            set_entry(*parse_entry(data, at))

        self._handlers[field] = take
        self._fast_handlers[self._tag(field)] = take_fast

    def _tag(self, field: str) -> int:
        return self._message.DESCRIPTOR.fields_by_name[field].number << 3 | BYTES


def _no_options(kind: str) -> Violation:
    return Violation("an options row first", f"a {kind} row")
