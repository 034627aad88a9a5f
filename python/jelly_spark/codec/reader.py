"""Reading Jelly-Patch files."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import BinaryIO

from jelly_spark.codec.decoder import PatchDecoder
from jelly_spark.codec.frames import FrameReader
from jelly_spark.codec.options import PatchOptions, ReadLimits
from jelly_spark.codec.rows import PatchRow
from jelly_spark.codec.violation import Violation
from jelly_spark.errors import MalformedPatchError


class PatchReader:
    """Iterates once over the rows of a Jelly-Patch file, in bounded memory.

    Rows before an error are delivered. A file that was given as a path is closed at the end, by
    `close`, or by leaving the `with` block; a stream is left open.

    Args:
        file: path, or stream of bytes, which is read from its current position on.
        strict: whether these are errors too: transactions that do not alternate TX and TC or TA, or
            cross the end of their patch; graphs in a stream of triples; a first quad that
            repeats a graph.
        limits: the biggest lookups accepted.

    Raises:
        MalformedPatchError: while iterating: the input breaks the format.
        OSError: the file cannot be read.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        *,
        strict: bool = False,
        limits: ReadLimits = ReadLimits(),
    ) -> None:
        if isinstance(file, (str, os.PathLike)):
            self._name = os.fspath(file)
            self._stream: BinaryIO = open(file, "rb")  # noqa: SIM115 (closed by close)
            self._owned = True
        else:
            name = getattr(file, "name", None)
            self._name = name if isinstance(name, str) else "<stream>"
            self._stream = file
            self._owned = False
        self._frames = FrameReader(self._stream)
        self._decoder = PatchDecoder(strict=strict, limits=limits)
        self._rows = self._decode()

    @property
    def options(self) -> PatchOptions | None:
        """The options of the file; None before its first row was read.

        `frame_size` is the default: no file says it.
        """
        options = self._decoder.options
        return options and replace(options, delimited=self._frames.delimited)

    def __iter__(self) -> Iterator[PatchRow]:
        return self._rows

    def __enter__(self) -> PatchReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the iteration, and close the file if it was given as a path."""
        self._rows.close()
        if self._owned:
            self._stream.close()

    def _decode(self) -> Generator[PatchRow, None, None]:
        frames = self._frames
        decode = self._decoder.decode
        try:
            for data in frames:
                row = self._decoder.end_frame() if data is None else decode(data)
                if row is not None:
                    yield row
            self._decoder.end_stream()
        except Violation as violation:
            raise MalformedPatchError(
                self._name,
                frames.offset,
                frames.row if violation.in_row else None,
                violation.expected,
                violation.found,
            ) from None
        finally:
            if self._owned:
                self._stream.close()


def read_patch(
    file: str | os.PathLike[str] | BinaryIO,
    *,
    strict: bool = False,
    limits: ReadLimits = ReadLimits(),
) -> Iterator[PatchRow]:
    """Yield the rows of a Jelly-Patch file; the arguments and errors are those of `PatchReader`.

    Nothing is opened before the first row is asked for.
    """
    with PatchReader(file, strict=strict, limits=limits) as reader:
        yield from reader
