"""From the messages of rows to rows: what both Jelly formats do alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from jelly_spark.core.violation import Violation
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.plain_rows import LEFT_TO_PROTOBUF, parse_entry
from jelly_spark.jelly.restart_index import RestartPoint
from jelly_spark.jelly.term_decoder import TermDecoder
from jelly_spark.jelly.wire import BYTES, PARSE_ERRORS, second_byte

R = TypeVar("R")
O = TypeVar("O", bound=JellyOptions)  # noqa: E741 (beside R)


class JellyDecoder(ABC, Generic[R, O]):
    """Decodes the rows of one stream, in their order; options and lookup entries are taken here.

    A format's own decoder adds what the options say, and what else there is.

    Args:
        message: the class of a row's message.
        start: where in the file the stream begins.
    """

    # Set when the options come, before anything needs it.
    _terms: TermDecoder

    def __init__(self, message: type[Message], start: RestartPoint) -> None:
        self._message = message
        self._restarted = start.offset > 0
        self._options: O | None = None
        self._options_seen: tuple[object, ...] = ()
        self._handlers: dict[str, Callable[[Any], R | None]] = {"options": self._take_options}
        # By the tag of a row's one field: what decodes a plain row, from where its content begins.
        self._plain: dict[int, Callable[[bytes, int], R | None]] = {}

    @property
    def options(self) -> O | None:
        """What the options row says, the other options at their defaults; None before it."""
        return self._options

    @abstractmethod
    def _read_options(self, message: Any) -> O:
        """Return what the first options row says, checked.

        Raises:
            Violation: the options break the format, or are over the reader's limits.
        """

    @abstractmethod
    def _begin(self, options: O) -> Mapping[str, Callable[[Any], R | None]]:
        """Begin a stream with these options, and return what makes rows of the messages in it.

        Returns:
            By the name of the field that a row has: what makes a row of the field's value, or None.
        """

    @abstractmethod
    def _begin_plain(self) -> Mapping[str, Callable[[bytes, int], R | None]]:
        """Return what decodes plain rows, by the name of the field that a row has.

        Each raises one of `LEFT_TO_PROTOBUF` for a row that is not plain, and does nothing else.
        It is called after `_begin`.
        """

    @abstractmethod
    def end_frame(self) -> R | None:
        """Take the end of a frame, and return the row that it is, if it is one.

        Raises:
            Violation: the frame may not end here.
        """

    @abstractmethod
    def end_stream(self) -> None:
        """Check that the stream may end here.

        Raises:
            Violation: it may not.
        """

    @abstractmethod
    def position(self, offset: int, frames: int) -> RestartPoint:
        """Return what there was before this byte offset, and this many frames."""

    def end_range(self) -> None:
        """Check that a restart point may come here.

        Raises:
            Violation: it may not.
        """

    def restart(self, data: bytes | None) -> None:
        """Check the first row after a restart point, by its message; None where there is none.

        Raises:
            Violation: it is not the options of this stream.
        """
        if data is None:
            raise Violation("the options row first", "none", in_row=False)
        kind, message = self._parse(data)
        if kind != "options":
            raise _no_options(kind)
        self._take_options(message)

    def decode(self, data: bytes) -> R | None:
        """Return the row that a row's message stands for; None for options and lookup entries.

        Raises:
            Violation: the message breaks the format.
        """
        plain = self._plain.get(data[0]) if data else None
        if plain is not None:
            try:
                # A plain row's message is one field.
                size = data[1]
                at = 2
                if size > 127:
                    size += second_byte(data, 2)
                    at = 3
                if at + size == len(data):
                    return plain(data, at)
            except LEFT_TO_PROTOBUF:
                pass
        return self._decode_message(data)

    def _decode_message(self, data: bytes) -> R | None:
        kind, message = self._parse(data)
        if self._options is None and kind != "options":
            raise _no_options(kind)
        return self._handlers[kind](message)

    def _parse(self, data: bytes) -> tuple[str, Any]:
        """Return the one field that a row's message has: its name, and its value."""
        try:
            message: Any = self._message.FromString(data)
        except PARSE_ERRORS:
            raise Violation("a row's message", f"{len(data)} bytes that are none") from None
        kind = message.WhichOneof("row")
        if kind is None:
            raise Violation("a row of a known kind", "none")
        return kind, getattr(message, kind)

    def _take_options(self, message: Any) -> None:
        """Take the first options, check that later ones equal them."""
        seen = tuple(getattr(message, field.name) for field in message.DESCRIPTOR.fields)
        if self._options is None:
            self._options = self._read_options(message)
            self._options_seen = seen
            self._terms = terms = TermDecoder(self._options, restarted=self._restarted)
            self._take_entries("name", terms.iris.set_name)
            self._take_entries("prefix", terms.iris.set_prefix)
            self._take_entries("datatype", terms.set_datatype)
            self._handlers.update(self._begin(self._options))
            for field, plain in self._begin_plain().items():
                self._plain[self._tag(field)] = plain
        elif seen != self._options_seen:
            raise Violation("the same options as before", "others")

    def _take_entries(self, field: str, set_entry: Callable[[int, str], object]) -> None:
        """Have the entries of a lookup, rows with this field, taken."""

        def take(entry: Any) -> None:
            set_entry(entry.id, entry.value)

        def take_plain(data: bytes, at: int) -> None:
            set_entry(*parse_entry(data, at))

        self._handlers[field] = take
        self._plain[self._tag(field)] = take_plain

    def _tag(self, field: str) -> int:
        return self._message.DESCRIPTOR.fields_by_name[field].number << 3 | BYTES


def _no_options(kind: str) -> Violation:
    return Violation("the options row first", f"a {kind} row")
