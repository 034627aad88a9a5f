"""The options of a Jelly-Patch stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from jelly_spark.core.options import check_member
from jelly_spark.jelly.options import JellyOptions

PROTOCOL_VERSION = 1
"""The version tag that is written, and the only one that is read (Jelly-Patch, "Versioning")."""


class StreamType(IntEnum):
    """How the end of a patch is marked, by the number in the file.

    See Jelly-Patch, "Patch stream types".
    """

    FRAME = 1
    """The end of a frame ends a patch."""
    FLAT = 2
    """Nothing ends a patch: the stream is one patch."""
    PUNCTUATED = 3
    """A punctuation row ends a patch."""


class StatementType(IntEnum):
    """The kind of statements in a stream, by the number in the file.

    See Jelly-Patch, "Statement types".
    """

    TRIPLES = 1
    QUADS = 2


@dataclass(frozen=True)
class JellyPatchOptions(JellyOptions):
    """Options for writing Jelly-Patch; the defaults are those of the reference implementation.

        JellyPatchOptions(stream_type=StreamType.FRAME, max_name_table_size=1000)

    `frame_size` is ignored in `FRAME` streams, where each frame ends with its patch.

    Raises:
        OptionError: a value has a wrong type or is out of range.
    """

    format: ClassVar[str] = "jelly_patch"

    stream_type: StreamType = StreamType.PUNCTUATED
    statement_type: StatementType = StatementType.QUADS

    def __post_init__(self) -> None:
        check_member("stream_type", self.stream_type, StreamType)
        check_member("statement_type", self.statement_type, StatementType)
        super().__post_init__()
