"""From rows to the messages of rows: the part that both Jelly formats share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from jelly_spark.jelly.encoding.term_encoder import TermEncoder
from jelly_spark.jelly.options import JellyOptions

O = TypeVar("O", bound=JellyOptions)  # noqa: E741 (as in the decoder)


class JellyEncoder(ABC, Generic[O]):
    """Encodes the rows of one stream, in their order, to the bytes that the reference writes.

    A subclass for each format encodes the rows. After an error the encoder must not be used any
    more.

    Args:
        options: how to write.
        row: the class of a row's message.

    Attributes:
        begun: whether the options row was encoded.
    """

    def __init__(self, options: O, row: type[Message]) -> None:
        self._options = options
        self._message: Any = row
        self._terms = TermEncoder(options, row, restarted=False)
        self.begun = False

    @abstractmethod
    def _options_message(self) -> Message:
        """Return the options as they stand in the options row."""

    def begin(self) -> list[bytes]:
        """Return the options row if it was not encoded yet, else an empty list."""
        if self.begun:
            return []
        self.begun = True
        row: Message = self._message(options=self._options_message())
        return [row.SerializeToString(deterministic=True)]

    def restart(self) -> None:
        """Restart at a restart point: the next row refers to nothing before it."""
        self._terms = TermEncoder(self._options, self._message, restarted=True)
        self.begun = False
