"""The rows of a part of a file, with malformed input handled as the option `mode` says."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple, cast

from jelly_spark._format_options import Mode, ReadOptions
from jelly_spark.core.columns import Columns
from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.files.hints import HEAD_SIZE, matcher
from jelly_spark.core.files.input_file import InputFile
from jelly_spark.core.format import Format
from jelly_spark.core.rows import AnyRow
from jelly_spark.datasource.splits import FilePart, can_split
from jelly_spark.errors import MalformedInputError, OptionError
from jelly_spark.jelly.frames.restart_index import read_index
from jelly_spark.lines.reader import LineReader

_LOG = logging.getLogger(__name__)


class MalformedLine(NamedTuple):
    """A malformed line, in mode PERMISSIVE.

    Attributes:
        text: its text.
        frame: the ordinal of its message; None if the file is no stream of messages.
    """

    text: str
    frame: int | None


def items_of(
    format: Format, settings: ReadOptions, part: FilePart
) -> Iterator[AnyRow | Columns | MalformedLine]:
    """Yield the rows of a part of a file, and in mode PERMISSIVE its malformed lines.

    Several rows at once can come as columns.

    Raises:
        MalformedInputError: the input is malformed and the mode is FAILFAST, or the file does not
            begin like one of the format.
        OptionError: the mode needs to skip lines of a compressed file.
    """
    if settings.mode is Mode.FAILFAST:
        return _read(format, settings, part.file.path, part.part)
    if settings.corrupt_column is not None:
        return _lines(format, settings, part)
    return _ranges(format, settings, part)


def _read(
    format: Format, settings: ReadOptions, path: str, part: tuple[int, int] | None
) -> Iterator[AnyRow | Columns]:
    arguments = settings.arguments if part is None else {**settings.arguments, "part": part}
    with format.reader(path, **arguments) as reader:
        yield from reader.items()


def _ranges(format: Format, settings: ReadOptions, part: FilePart) -> Iterator[AnyRow | Columns]:
    """Yield rows, and go on at the next restart point after malformed input."""
    path = part.file.path
    if not can_split(format, path):
        ranges: list[tuple[int, int] | None] = [None]
    else:
        start, end = part.part or (0, part.file.size)
        ranges = [(at, at + 1) for at in _restart_points(path) if start <= at < max(end, 1)]
    for one in ranges:
        try:
            yield from _read(format, settings, path, one)
        except MalformedInputError as error:
            _check_start(format, path, error)
            _LOG.warning("Dropped part of a malformed file: %s", error)


def _restart_points(path: str) -> list[int]:
    with closing(InputFile(path)) as opened:
        return [0, *(point.offset for point in read_index(opened.stream, 0))]


def _lines(
    format: Format, settings: ReadOptions, part: FilePart
) -> Iterator[AnyRow | Columns | MalformedLine]:
    """Yield rows, and go on at the next line after a malformed one."""
    path = part.file.path
    if compression_of(path) is not None:
        raise OptionError(
            f"mode {settings.mode.name} needs jelly-spark.jar to read compressed lines: {path}"
        )
    at, end = part.part or (0, part.file.size)
    frame = None
    while at < end:
        reader = cast(LineReader, format.reader(path, **settings.arguments, part=(at, end)))
        if frame is not None:
            reader.continue_from(frame)
        try:
            with reader:
                yield from reader
            return
        except MalformedInputError as error:
            if settings.mode is Mode.DROPMALFORMED:
                _check_start(format, path, error)
            # The part that begins behind the first byte of a line begins with the next line.
            at = error.offset + 1
            frame = reader.frame
            if frame is not None:
                # The first part of a stream of messages has all its lines.
                end = part.file.size
            if settings.mode is Mode.PERMISSIVE:
                yield MalformedLine(_text_of_line(path, error.offset), frame)
            else:
                _LOG.warning("Dropped a malformed row: %s", error)


def _text_of_line(path: str, offset: int) -> str:
    line = bytearray()
    with closing(InputFile(path)) as opened:
        opened.stream.seek(offset)
        while data := opened.stream.read(HEAD_SIZE):
            line += data
            if b"\n" in data or b"\r" in data:
                break
    return line.splitlines()[0].decode(errors="replace")


def _check_start(format: Format, path: str, error: MalformedInputError) -> None:
    """Raise the error again if the file does not begin like one of the format."""
    head = b""
    try:
        with closing(InputFile(path)) as opened:
            head = bytes(opened.stream.read(HEAD_SIZE))
    except Exception:
        # The beginning of a damaged compressed file cannot always be read.
        return
    if head and not matcher(format.reader_class.start)(head):
        raise error
