"""Reading Jelly files: frames through a decoder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Generic

from jelly_spark.core.reader import RowReader
from jelly_spark.core.violation import Place, Violation, in_frame
from jelly_spark.jelly.decoder import JellyDecoder, O, R
from jelly_spark.jelly.frames import FrameReader


class JellyReader(RowReader[R], Generic[R, O]):
    """Iterates once over the rows of a Jelly file; the format's decoder says what they are.

    Args:
        file: path, or stream of bytes, which is read from its current position on.
        decoder: a new one.
    """

    # Set when reading begins, before anything needs it.
    _frames: FrameReader

    def __init__(
        self, file: str | os.PathLike[str] | BinaryIO, decoder: JellyDecoder[R, O]
    ) -> None:
        self._decoder = decoder
        super().__init__(file)

    @property
    def options(self) -> O | None:
        """The options of the stream; None before its first row is read.

        The wire has no frame size: that one is the default.
        """
        options = self._decoder.options
        return None if options is None else replace(options, delimited=self._frames.delimited)

    def _read(self, stream: BinaryIO) -> Iterator[R]:
        self._frames = FrameReader(stream)
        decoder = self._decoder
        decode = decoder.decode
        for data in self._frames:
            row = decoder.end_frame() if data is None else decode(data)
            if row is not None:
                yield row
        decoder.end_stream()

    def _place(self, violation: Violation) -> Place:
        frames = self._frames
        return in_frame(frames.offset, frames.row if violation.in_row else None)
