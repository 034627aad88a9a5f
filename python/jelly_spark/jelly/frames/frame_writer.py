"""Writing the frames of a Jelly file, with its restart points and their index."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Final

from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.frames.frame_format import MAX_FRAME_SIZE, ROW_TAG
from jelly_spark.jelly.frames.restart_index import RestartPoint, has_room, index_field
from jelly_spark.jelly.frames.term_filters import FilterBuilder
from jelly_spark.jelly.wire import sized, varint

# The tag and length before a row, by the row's length, for short rows, as nearly all are.
_SHORT: Final = 256
_ROW_STARTS: Final = tuple(ROW_TAG + varint(size) for size in range(_SHORT))


class FrameWriter:
    """Joins rows into frames, and places restart points.

    With restart points, the writer buffers one frame, and writes it when the next one ends. So the
    last frame can hold the index, and no extra frame is needed for that.

    Args:
        stream: the stream to write to; it is not closed.
        delimited: whether frames are preceded by their length. If not, the stream is one frame
            without restart points, and rows are written at once.
        restart_interval: number of bytes after which a restart range ends; 0 for no restart points.
        filters: collects the terms of each restart range; None if the index has no filters.

    Attributes:
        rows: number of rows in the current frame, including lookup entries.
        restart_due: whether a restart point is due. The caller must then call `begin_range` and
            restart its encoder before it adds the first row of the next frame.
    """

    def __init__(
        self,
        stream: BinaryIO,
        *,
        delimited: bool,
        restart_interval: int,
        filters: FilterBuilder | None = None,
    ) -> None:
        self._write = stream.write
        self._delimited = delimited
        self._restart_interval = restart_interval if delimited else 0
        self._filters = filters
        self._pending: list[bytes] = []
        self.rows = 0
        self.restart_due = False
        # The last frame, without its length, if it is buffered.
        self._held: bytes | None = None
        # The number of all ended frames, and their size in bytes, including their lengths.
        self._frames = 0
        self._length = 0
        self._range_start = 0
        self._points: list[RestartPoint] = []

    def add(self, rows: list[bytes]) -> None:
        """Add rows, as messages without tag and length, to the current frame."""
        pending = self._pending
        for row in rows:
            size = len(row)
            start = _ROW_STARTS[size] if size < _SHORT else ROW_TAG + varint(size)
            pending.append(start + row)
        if self._delimited:
            self.rows += len(rows)
        else:
            self._write(b"".join(pending))
            pending.clear()

    def end(self, fields: bytes = b"", last_rows: Callable[[], list[bytes]] = list) -> None:
        """End the current frame, even if it is empty. In an undelimited stream, the frame goes on.

        Args:
            fields: other fields of the frame, which are written after the rows.
            last_rows: a function that returns the rows to add if this frame is the last one of its
                restart range.

        Raises:
            UnwritableRowError: the frame is longer than `MAX_FRAME_SIZE`.
        """
        if self._restart_interval:
            size = _delimited_size(sum(map(len, self._pending)) + len(fields))
            ends_range = self._length + size - self._range_start >= self._restart_interval
            if ends_range and has_room(len(self._points)):
                self.restart_due = True
                self.add(last_rows())
        frame = b"".join(self._pending) + fields
        self._pending.clear()
        self.rows = 0
        if not self._delimited:
            self._write(frame)
            return
        if len(frame) > MAX_FRAME_SIZE:
            raise _too_long()
        self._frames += 1
        self._length += _delimited_size(len(frame))
        self._write_held()
        self._held = frame
        if not self._restart_interval:
            self._write_held()

    def begin_range(self, before: RestartPoint) -> None:
        """Make the current frame, which must be empty, a restart point.

        Args:
            before: the numbers of rows, patches and so on before the frame. This method sets its
                offset and its number of frames.
        """
        self.restart_due = False
        if self._filters is not None:
            self._filters.end_range()
        self._range_start = self._length
        self._points.append(before._replace(offset=self._length, frames=self._frames))

    def flush(self) -> None:
        """Write the buffered frame, unless it may have to hold the index."""
        if not self._points:
            self._write_held()

    def finish(self) -> None:
        """Write the buffered frame, with the filters and the index if there are restart points.

        Raises:
            UnwritableRowError: with the filters and the index, the frame is longer than
                `MAX_FRAME_SIZE`.
        """
        if self._held is not None and self._points:
            # The index holds the length of the whole file, including the index. The size of the
            # index does not depend on that number, so it is computed with 0 first.
            before = self._length - _delimited_size(len(self._held))
            if self._filters is not None:
                self._filters.end_range()
                self._held += self._filters.field(self._points)
            last_size = len(self._held) + len(index_field(self._points, 0))
            if last_size > MAX_FRAME_SIZE:
                raise _too_long()
            self._held += index_field(self._points, before + _delimited_size(last_size))
        self._write_held()

    def _write_held(self) -> None:
        if self._held is not None:
            self._write(sized(self._held))
            self._held = None


def _delimited_size(size: int) -> int:
    """Return the size of a frame of `size` bytes together with the length before it."""
    return len(varint(size)) + size


def _too_long() -> UnwritableRowError:
    return UnwritableRowError(
        "a frame must be shorter than 2 GiB: lower frameSize, or end frames sooner"
    )
