"""The options of a Jelly-Patch stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from jelly_spark.core.options import check_member
from jelly_spark.jelly.options import JellyOptions

PROTOCOL_VERSION = 1
"""Jelly-Patch, "Versioning": the version tag written, and the highest one read."""


class StreamType(IntEnum):
    """What ends a patch, by its number on the wire (Jelly-Patch, "Patch stream types")."""

    FRAME = 1
    """The end of its frame."""
    FLAT = 2
    """Nothing: the stream is one patch."""
    PUNCTUATED = 3
    """A punctuation row."""


class StatementType(IntEnum):
    """What statements are, by its number on the wire (Jelly-Patch, "Statement types")."""

    TRIPLES = 1
    QUADS = 2


@dataclass(frozen=True)
class JellyPatchOptions(JellyOptions):
    """How a stream is written; the defaults are those of the reference implementation's writer.

        JellyPatchOptions(stream_type=StreamType.FRAME, max_name_table_size=1000)

    `frame_size` counts in `PUNCTUATED` and `FLAT`: a frame of a `FRAME` stream ends with its patch.

    Raises:
        OptionError: a value is not valid.
    """

    format: ClassVar[str] = "jelly_patch"

    stream_type: StreamType = StreamType.PUNCTUATED
    statement_type: StatementType = StatementType.QUADS

    def __post_init__(self) -> None:
        check_member("stream_type", self.stream_type, StreamType)
        check_member("statement_type", self.statement_type, StatementType)
        super().__post_init__()
