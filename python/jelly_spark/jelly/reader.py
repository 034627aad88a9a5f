"""The base class of the readers of Jelly files, which passes rows from frames to a decoder."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any, BinaryIO, ClassVar, Generic, cast

from jelly_spark.core.columns import Columns, select
from jelly_spark.core.columns.column_reader import ColumnReader
from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.malformed_input import Place, Violation, in_frame
from jelly_spark.core.options import check_class, check_part
from jelly_spark.core.reader import Skipping
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE
from jelly_spark.core.rows import MARKS, PatchRow, RdfRow
from jelly_spark.core.where import Where
from jelly_spark.jelly.decoding.jelly_decoder import JellyDecoder, O, R
from jelly_spark.jelly.frames.frame_reader import FrameReader
from jelly_spark.jelly.frames.range_selection import RangeSelection
from jelly_spark.jelly.frames.restart_index import START, RestartPoint, read_index
from jelly_spark.jelly.frames.term_filters import read_filters
from jelly_spark.jelly.options import TERM_COLUMNS, ReadLimits


class JellyReader(ColumnReader[R], Generic[R, O]):
    """Iterates once over the rows of a Jelly file, or of a part of it; see `RowReader`.

    Args:
        file: path, URL, bytes, or stream of bytes, which must be seekable to read a part.
        strict: whether to reject what the specification does not allow, but the reference
            implementation accepts.
        limits: the largest lookup tables that are accepted.
        max_row_size: the largest size of a row in bytes, both in the file and of its terms as
            canonical strings.
        part: a pair of byte offsets `0 <= start <= end`. The reader reads the restart ranges that
            begin at or after `start` and before `end`. If the file is compressed, or has no restart
            points, the part that begins at 0 is the whole file, and other parts are empty. None for
            the whole file.
        where: the rows to return: a mapping of columns to the value, or a collection of the values,
            that they must have, with None for null. Values are canonical terms and other strings,
            or ints for ordinals, also as a `range`. Restart ranges that cannot have such rows are
            not read if the file is seekable: see the option `index_columns`. None for all rows.
    """

    row: ClassVar[type[PatchRow] | type[RdfRow]]
    """The class of the rows."""

    skipping = Skipping.REST

    # Set when reading begins, before its first use.
    _frames: FrameReader

    # Whether the range before the one that is read is read, too, or does not matter; and if not,
    # whether a row that is returned has the transaction that the index says is open at the start.
    _start_is_verified = True
    _start_is_used = False

    def __init__(
        self,
        file: Readable,
        *,
        strict: bool = False,
        limits: ReadLimits = ReadLimits(),
        max_row_size: int = DEFAULT_MAX_ROW_SIZE,
        part: tuple[int, int] | None = None,
        where: Mapping[str, object] | None = None,
    ) -> None:
        check_class("limits", limits, ReadLimits)
        check_part(part)
        self._where = None if where is None else Where(where, self.columns, self.row._fields)
        super().__init__(file, strict=strict, max_row_size=max_row_size)
        self._limits = limits
        self._part = part
        self._decoder = self._new_decoder(START)

    @abstractmethod
    def _new_decoder(self, start: RestartPoint) -> JellyDecoder[R, O]:
        """Return the format's decoder for a stream that begins at a restart point."""

    @property
    def options(self) -> O | None:
        """The options of the stream; None before its first row is read.

        A file does not say its `frame_size` and `restart_interval`, so these have their defaults.
        """
        options = self._decoder.options
        return None if options is None else replace(options, delimited=self._frames.delimited)

    def _items(self, stream: BinaryIO) -> Iterator[R | Columns]:
        items = self._all_items(stream)
        return items if self._where is None else self._selected(items, self._where)

    def _all_items(self, stream: BinaryIO) -> Iterator[R | Columns]:
        for frames, decoder in self._ranges(stream):
            items = _items_of(frames, decoder)
            yield from items if self._start_is_verified else self._noting(items)

    def _noting(self, items: Iterator[R | Columns]) -> Iterator[R | Columns]:
        """Yield the rows of a range, and note whether its start tells the `tx` of one.

        As on the JVM, where Spark evaluates conditions on ordinals, these do not rule out a row.
        """
        where = cast(Where, self._where).without_ordinals()
        is_first = True
        for item in items:
            if is_first and type(item) is tuple:
                # Rows that come as columns are statements.
                self._start_is_used |= select(item, where.tests) is not None
            elif is_first:
                self._start_is_used |= where.matches(item)
                is_first = cast(PatchRow, item).op not in MARKS
            yield item

    def _selected(self, items: Iterator[R | Columns], where: Where) -> Iterator[R | Columns]:
        for item in items:
            if type(item) is not tuple:
                if where.matches(item):
                    yield item
            else:
                columns = select(item, where.tests)
                if columns is not None:
                    yield columns

    def _ranges(
        self,
        stream: BinaryIO,
        take_metadata: Callable[[bytes | bytearray], None] | None = None,
        *,
        row_by_row: bool = False,
    ) -> Iterator[tuple[FrameReader, JellyDecoder[R, O]]]:
        """Yield the frame reader and the decoder of each restart range.

        The caller must read each range to its end before it requests the next one. A range goes
        from the start of the file or a restart point to the next restart point or the end of the
        file. At its end, the index entry of the next restart point is verified. What the entry of
        its start says of an open transaction is verified afterwards, if rows depend on it.

        Args:
            stream: the stream to read from; see `_read`.
            take_metadata: see `FrameReader`.
            row_by_row: whether the frame reader yields all rows, so that none is decoded on the
                fast path.

        Raises:
            Violation: the frames do not match the index, or the stream may not end here.
        """
        for start, end, before in self._find_ranges(stream):
            at = 0 if before is None else stream.tell()
            self._start_is_verified = before is None
            self._start_is_used = False
            frames, decoder = self._open_range(stream, start, end, take_metadata, row_by_row)
            yield frames, decoder
            _end_range(frames, decoder, end)
            if before is not None and self._start_is_used:
                stream.seek(at - start.offset + before.offset)
                frames, decoder = self._open_range(stream, before, start)
                for _ in _items_of(frames, decoder):
                    pass
                _end_range(frames, decoder, start)

    def _open_range(
        self,
        stream: BinaryIO,
        start: RestartPoint,
        end: RestartPoint | None,
        take_metadata: Callable[[bytes | bytearray], None] | None = None,
        row_by_row: bool = False,
    ) -> tuple[FrameReader, JellyDecoder[R, O]]:
        """Return what reads the range at the position of a stream; see `_ranges`."""
        decoder = self._new_decoder(start)
        frames = FrameReader(
            stream,
            self._max_row_size,
            take_metadata,
            None if row_by_row else decoder.decode_run,
            start=start,
            end=None if end is None else end.offset,
        )
        self._frames = frames
        self._decoder = decoder
        return frames, decoder

    def _find_ranges(
        self, stream: BinaryIO
    ) -> Iterator[tuple[RestartPoint, RestartPoint | None, RestartPoint | None]]:
        """Yield the start and the end of each range to read, and move the stream to the start.

        The end is None for the end of the file. The third item is the start of the range before, if
        that must be read to know which transaction is open at the start; otherwise None.
        """
        if self._part is None and (self._where is None or not self._input.seekable):
            yield START, None, None
            return
        first, end = self._part or (0, sys.maxsize)
        if self._input.compressed:
            # Reading cannot start within a compressed file, so it is not split, as in Spark.
            if first <= START.offset < end:
                yield START, None, None
            return
        file_start = stream.tell()
        points = read_index(stream, file_start)
        selection = self._selection(stream, file_start, points)
        starts = [START, *points]
        skips_all = True
        for number, (point, following) in enumerate(zip_longest(starts, points)):
            if first <= point.offset < end and (selection is None or selection.is_read(number)):
                skips_all = False
                before = None
                if self._needs_range_before(selection, number, point):
                    before = starts[number - 1]
                stream.seek(file_start + point.offset)
                yield point, following, before
        if skips_all and first <= START.offset < end:
            stream.seek(file_start)
            self._check_format(stream)

    def _needs_range_before(
        self, selection: RangeSelection | None, number: int, start: RestartPoint
    ) -> bool:
        """Return whether the range before must be read to know what is open at the start.

        All other counts of the start are verified at the end of the range itself. Rows that the
        open transaction has there are of the patch at the start.
        """
        return (
            number > 0
            and start.transactions > 0
            and "tx" in self.columns
            and selection is not None
            and selection.allows_patch(start.patches)
            and not selection.is_read(number - 1)
        )

    def _check_format(self, stream: BinaryIO) -> None:
        """Read the first row of a file of which no range is read.

        Raises:
            Violation: the row is malformed, for example because the file has another format.
        """
        self._frames = FrameReader(stream, self._max_row_size)
        self._decoder = self._new_decoder(START)
        next(_items_of(self._frames, self._decoder), None)

    def _selection(
        self, stream: BinaryIO, file_start: int, points: list[RestartPoint]
    ) -> RangeSelection | None:
        """Return what selects the ranges to read; None to read all."""
        if self._where is None or not points:
            return None
        needs_filters = not self._where.allowed.keys().isdisjoint(TERM_COLUMNS)
        filters = read_filters(stream, file_start, points) if needs_filters else None
        return RangeSelection(self._where, points, filters)

    def _place(self, violation: Violation) -> Place:
        frames = self._frames
        return in_frame(frames.offset, frames.row if violation.in_row else None)


def _items_of(frames: FrameReader, decoder: JellyDecoder[Any, Any]) -> Iterator[Any]:
    """Yield the rows of a restart range; see `JellyReader._items`."""
    for data in frames:
        if data is None:
            row = decoder.end_frame()
            if row is not None:
                yield row
            elif frames.is_empty:
                decoder.skip_frames(frames.skip_empty_frames())
        elif isinstance(data, int):
            columns = decoder.take_columns()
            if columns is not None:
                yield columns
        else:
            row = decoder.decode(data)
            if row is not None:
                yield row


def _end_range(
    frames: FrameReader, decoder: JellyDecoder[Any, Any], end: RestartPoint | None
) -> None:
    """Check that a restart range may end, and that the next one is what the index describes.

    Args:
        frames: the reader of the frames of the range, at its end.
        decoder: the decoder of its rows.
        end: the restart point after the range; None if the file ends there.

    Raises:
        Violation: it may not, or the next one is not.
    """
    if end is None:
        decoder.end_stream()
        return
    decoder.end_range()
    frames.offset = end.offset
    found = decoder.position(end.offset, frames.frames)
    if found != end:
        raise Violation(f"the counts in the index: {end.counts()}", found.counts(), in_row=False)
    decoder.restart(frames.next_row())
