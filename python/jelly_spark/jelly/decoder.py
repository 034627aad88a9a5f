"""From the messages of rows to rows: what both Jelly formats do alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from google.protobuf.message import DecodeError, Message

from jelly_spark.core.violation import Violation
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.term_decoder import TermDecoder

R = TypeVar("R")
O = TypeVar("O", bound=JellyOptions)  # noqa: E741 (beside R)

PARSE_ERRORS = (DecodeError, UnicodeDecodeError, RecursionError)
"""What parsing a message raises: Protobuf's pure-Python runtime lets other errors than its own out.
"""


class JellyDecoder(ABC, Generic[R, O]):
    """Decodes the rows of one stream, in their order; options and lookup entries are taken here.

    A format's own decoder adds what the options say, and what else there is.

    Args:
        message: the class of a row's message.
    """

    # Set when the options come, before anything needs it.
    _terms: TermDecoder

    def __init__(self, message: type[Message]) -> None:
        self._message = message
        self._options: O | None = None
        self._options_seen: tuple[object, ...] = ()
        self._handlers: dict[str, Callable[[Any], R | None]] = {
            "options": self._take_options,
            "name": self._set_name,
            "prefix": self._set_prefix,
            "datatype": self._set_datatype,
        }

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

    def decode(self, data: bytes) -> R | None:
        """Return the row that a row's message stands for; None for options and lookup entries.

        Raises:
            Violation: the message breaks the format.
        """
        try:
            message: Any = self._message.FromString(data)
        except PARSE_ERRORS:
            raise Violation("a row's message", f"{len(data)} bytes that are none") from None
        kind = message.WhichOneof("row")
        if kind is None:
            raise Violation("a row of a known kind", "none")
        if self._options is None and kind != "options":
            raise Violation("the options row first", f"a {kind} row")
        return self._handlers[kind](getattr(message, kind))

    def _take_options(self, message: Any) -> None:
        """Take the first options, check that later ones equal them."""
        seen = tuple(getattr(message, field.name) for field in message.DESCRIPTOR.fields)
        if self._options is None:
            self._options = self._read_options(message)
            self._options_seen = seen
            self._terms = TermDecoder(self._options)
            self._handlers.update(self._begin(self._options))
        elif seen != self._options_seen:
            raise Violation("the same options as before", "others")

    def _set_name(self, entry: Any) -> None:
        self._terms.set_name(entry)

    def _set_prefix(self, entry: Any) -> None:
        self._terms.set_prefix(entry)

    def _set_datatype(self, entry: Any) -> None:
        self._terms.set_datatype(entry)
