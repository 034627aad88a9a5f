"""The base class of the encoders of both Jelly formats, from rows to messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from jelly_spark.jelly.encoding.term_encoder import TermEncoder
from jelly_spark.jelly.options import JellyOptions

O = TypeVar("O", bound=JellyOptions)  # noqa: E741 (as in the decoder)


class JellyEncoder(ABC, Generic[O]):
    """Encodes the rows of one stream, in order, to the same bytes as the reference implementation.

    A subclass for each format encodes the rows. The encoder must not be used after an error.

    Args:
        options: the options of the stream.
        row: the class of a row's message.

    Attributes:
        begun: whether the options row has been encoded.
    """

    def __init__(self, options: O, row: type[Message]) -> None:
        self._options = options
        self._message: Any = row
        self._terms = TermEncoder(options, row, restarted=False)
        self.begun = False

    @abstractmethod
    def _options_message(self) -> Message:
        """Return the message of the options, for the options row."""

    def begin(self) -> list[bytes]:
        """Return the options row if it has not been encoded yet, else an empty list."""
        if self.begun:
            return []
        self.begun = True
        row: Message = self._message(options=self._options_message())
        return [row.SerializeToString(deterministic=True)]

    def restart(self) -> None:
        """Begin a restart point: no later row refers to an earlier one."""
        self._terms = TermEncoder(self._options, self._message, restarted=True)
        self.begun = False
