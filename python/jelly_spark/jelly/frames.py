"""Frames: from a stream of bytes to the bytes of each row, and back.

Delimited, a frame has its length before it; undelimited, the stream is one frame (Jelly-RDF and
Jelly-Patch, "Delimited variant").
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.core.violation import Violation
from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.metadata import METADATA_TAG
from jelly_spark.jelly.restart_index import START, RestartPoint, has_room, index_field
from jelly_spark.jelly.wire import (
    BYTES,
    END_GROUP,
    FIXED32,
    FIXED64,
    START_GROUP,
    VARINT,
    sized,
    tag,
    varint,
)

# The most that is read at once: an announced length alone reserves no memory.
_CHUNK = 1 << 16
# Protobuf's own limit to the size of a message.
_MAX_FRAME = 2**31 - 1
# Protobuf's own limit to groups in groups.
_MAX_GROUPS = 100
_UNENDING = sys.maxsize

# A frame of Jelly-Patch has the same field.
_ROW_TAG = tag(RdfStreamFrame, "rows", BYTES)
_ROW_FIELD = _ROW_TAG[0]
# What comes before rows that are short, by their length; most are.
_SHORT = 256
_ROW_STARTS = tuple(_ROW_TAG + varint(size) for size in range(_SHORT))
_METADATA_FIELD = METADATA_TAG[0]


class FrameReader:
    """Splits a stream of bytes into rows, reading no further than it must.

    Args:
        stream: where to read from, from its current position on.
        take_metadata: what takes the entries of frames' metadata, messages. Without it they are
            skipped unread, as unknown fields are.
        start: where in the file the stream stands, and what is before.
        end: where a frame must end after which no more are read; None for the end of the stream.

    Attributes:
        delimited: whether frames have their length before them; True until bytes are read.
        offset: byte offset in the file of the frame read last.
        row: number of the row read last in its frame.
        frames: how many frames of the file were read.
    """

    def __init__(
        self,
        stream: BinaryIO,
        take_metadata: Callable[[bytes], None] | None = None,
        *,
        start: RestartPoint = START,
        end: int | None = None,
    ) -> None:
        self._read = stream.read
        self._take_metadata = take_metadata
        self._buffer = b""
        # Where in the buffer reading stands, and where in the stream the buffer begins.
        self._at = 0
        self._start = start.offset
        self._end = _UNENDING if end is None else end
        self.delimited = True
        self.offset = start.offset
        self.row = 0
        self.frames = start.frames

    def __iter__(self) -> Iterator[bytes | None]:
        """Yield each row's bytes, and None at the end of each frame.

        Raises:
            Violation: the bytes are no frames, or end within one.
        """
        # Where reading begins at a restart point, there is a length.
        self.delimited = self._start > 0 or self._looks_delimited()
        if not self.delimited:
            yield from self._rows(_UNENDING)
            self.frames += 1
            yield None
            return
        while self._position < self._end and self._fill(1):
            end = self._begin_frame()
            if end > self._end:
                raise Violation(
                    f"a frame that ends by byte {self._end}, where the index has a restart point",
                    f"a frame that ends at byte {end}",
                    in_row=False,
                )
            yield from self._rows(end)
            self.frames += 1
            yield None

    def next_row(self) -> bytes | None:
        """Return the first row of the frame after those that were read; None where it has none."""
        return next(self._rows(self._begin_frame()), None) if self.delimited else None

    def _begin_frame(self) -> int:
        """Begin a frame, and return where it ends."""
        self.offset = self._position
        length = self._frame_length()
        return self._position + length

    def _looks_delimited(self) -> bool:
        # A row's tag comes first where no length does. 0A can also be the length of a frame of ten
        # bytes, but then a tag follows: that of a row, and after it a length that is not ten; or
        # that of metadata, and after it a length that is no tag.
        self._fill(3)
        head = self._buffer[:3]
        if head[:1] != _ROW_TAG:
            return True
        if len(head) < 3:
            return False
        if head[1] == _METADATA_FIELD:
            return head[2] < _ROW_FIELD
        return head[1] == _ROW_FIELD and head[2] != _ROW_FIELD

    def _frame_length(self) -> int:
        length = self._varint(_UNENDING)
        if length > _MAX_FRAME:
            raise Violation(
                f"a frame of at most {_MAX_FRAME} bytes", f"the length {length}", in_row=False
            )
        return length

    def _rows(self, end: int) -> Iterator[bytes]:
        """Yield the rows of a frame that ends at this position of the stream."""
        row = -1
        while True:
            buffer = self._buffer
            at = self._at
            last = min(len(buffer), end - self._start)
            # The common case: rows of under 16 KiB that lie in the buffer as a whole.
            while at + 2 < last and buffer[at] == _ROW_FIELD:
                size = buffer[at + 1]
                begin = at + 2
                if size > 127:
                    high = buffer[begin]
                    if high > 127:
                        break
                    size += (high << 7) - 128
                    begin += 1
                if begin + size > last:
                    break
                at = begin + size
                row += 1
                self.row = row
                yield buffer[begin:at]
            self._at = at
            if self._position == end or (end == _UNENDING and not self._fill(1)):
                return
            key = self._key(end)
            if key == _ROW_FIELD:
                row += 1
                self.row = row
                yield self._bytes(end, "row", in_row=True)
            elif key == _METADATA_FIELD and self._take_metadata is not None:
                self._take_metadata(self._bytes(end, "field", in_row=False))
            else:
                self._skip_field(key, end)

    def _bytes(self, end: int, what: str, *, in_row: bool) -> bytes:
        """Read the bytes of a field, which begin with their length."""
        size = self._varint(end)
        self._check_size(size, end, what, in_row=in_row)
        parts = []
        while size > 0:
            if not self._fill(1):
                raise self._cut_off()
            part = self._buffer[self._at : self._at + size]
            self._at += len(part)
            size -= len(part)
            parts.append(part)
        return b"".join(parts)

    def _skip_field(self, key: int, end: int) -> None:
        """Skip the value of a field that readers need not know, a whole group as well."""
        groups: list[int] = []
        while True:
            wire_type = key & 7
            if wire_type == VARINT:
                self._varint(end)
            elif wire_type == FIXED64:
                self._skip(8, end)
            elif wire_type == BYTES:
                self._skip(self._varint(end), end)
            elif wire_type == FIXED32:
                self._skip(4, end)
            elif wire_type == START_GROUP and len(groups) < _MAX_GROUPS:
                groups.append(key >> 3)
            elif wire_type != END_GROUP or not groups or groups.pop() != key >> 3:
                raise Violation("a field of a frame", f"the tag {key}", in_row=False)
            if not groups:
                return
            key = self._key(end)

    def _key(self, end: int) -> int:
        key = self._varint(end)
        if not 8 <= key < 1 << 32:
            raise Violation("a field of a frame", f"the tag {key}", in_row=False)
        return key

    def _varint(self, end: int) -> int:
        """Read a varint of up to 64 bits that ends before a position of the stream."""
        number = 0
        for shift in range(0, 70, 7):
            if self._position >= end:
                raise Violation("a number", "the end of the frame", in_row=False)
            if not self._fill(1):
                raise self._cut_off()
            byte = self._buffer[self._at]
            self._at += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number & 0xFFFFFFFFFFFFFFFF
        raise Violation("a number of at most 10 bytes", "a longer one", in_row=False)

    def _skip(self, size: int, end: int) -> None:
        self._check_size(size, end, "field", in_row=False)
        while size > 0:
            if not self._fill(1):
                raise self._cut_off()
            part = min(size, len(self._buffer) - self._at)
            self._at += part
            size -= part

    def _check_size(self, size: int, end: int, what: str, *, in_row: bool) -> None:
        if size > end - self._position:
            raise Violation(
                f"a {what} that ends within its frame", f"a {what} of {size} bytes", in_row=in_row
            )

    @property
    def _position(self) -> int:
        return self._start + self._at

    def _fill(self, size: int) -> bool:
        """Make this many bytes, few, ready in the buffer; False where the stream ends before."""
        while len(self._buffer) - self._at < size:
            chunk = self._read(_CHUNK)
            if not chunk:
                return False
            self._start += self._at
            self._buffer = self._buffer[self._at :] + chunk
            self._at = 0
        return True

    def _cut_off(self) -> Violation:
        return Violation(
            "the rest of the frame", f"the end of the input at byte {self._position}", in_row=False
        )


class FrameWriter:
    """Joins rows to frames, and has ranges of frames begin at restart points.

    Where there may be restart points, a frame is written when the next one is ended: the last one
    holds the index of the points.

    Args:
        stream: where to write to; it is not closed.
        delimited: whether frames have their length before them. If not, frames have no ends, there
            are no restart points, and rows are written as they come.
        restart_interval: how many bytes after which a range ends; 0 for no restart points.

    Attributes:
        rows: number of rows in the frame that is not yet ended.
        restart_due: whether a range is to begin with the next row, if the frame is empty.
    """

    def __init__(self, stream: BinaryIO, *, delimited: bool, restart_interval: int) -> None:
        self._write = stream.write
        self._delimited = delimited
        self._restart_interval = restart_interval if delimited else 0
        self._pending: list[bytes] = []
        self.rows = 0
        self.restart_due = False
        # The frame that was ended last, without its length, if it was not written yet.
        self._held: bytes | None = None
        # Of the frames that were ended: their number, and their bytes.
        self._frames = 0
        self._length = 0
        self._range_start = 0
        self._points: list[RestartPoint] = []

    def add(self, rows: list[bytes]) -> None:
        """Add rows, each one a message without its length."""
        pending = self._pending
        for row in rows:
            size = len(row)
            start = _ROW_STARTS[size] if size < _SHORT else _ROW_TAG + varint(size)
            pending.append(start + row)
        if self._delimited:
            self.rows += len(rows)
        else:
            self._write(b"".join(pending))
            pending.clear()

    def end(self, fields: bytes = b"", last_rows: Callable[[], list[bytes]] = list) -> None:
        """End the frame, even an empty one. Without lengths, a frame has no end.

        Args:
            fields: what the frame holds besides its rows, written after them.
            last_rows: gives the rows that the frame ends with where its range does.

        Raises:
            UnwritableRowError: the frame is longer than a reader takes.
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
        if len(frame) > _MAX_FRAME:
            raise _too_long()
        self._frames += 1
        self._length += _delimited_size(len(frame))
        self._write_held()
        self._held = frame
        if not self._restart_interval:
            self._write_held()

    def begin_range(self, before: RestartPoint) -> None:
        """Make a restart point of the frame that now begins; the next row is its first.

        Args:
            before: the rows, patches and transactions that there are before it.
        """
        self.restart_due = False
        self._range_start = self._length
        self._points.append(before._replace(offset=self._length, frames=self._frames))

    def flush(self) -> None:
        """Write what was held back, unless it may have to hold the index."""
        if not self._points:
            self._write_held()

    def finish(self) -> None:
        """Write what was held back, with the index.

        Raises:
            UnwritableRowError: the frame is longer than a reader takes.
        """
        if self._held is not None and self._points:
            # The length of the index does not depend on what it says.
            before = self._length - _delimited_size(len(self._held))
            last_size = len(self._held) + len(index_field(self._points, 0))
            if last_size > _MAX_FRAME:
                raise _too_long()
            self._held += index_field(self._points, before + _delimited_size(last_size))
        self._write_held()

    def _write_held(self) -> None:
        if self._held is not None:
            self._write(sized(self._held))
            self._held = None


def _delimited_size(size: int) -> int:
    """Return how many bytes a frame of this size has with its length before it."""
    return len(varint(size)) + size


def _too_long() -> UnwritableRowError:
    return UnwritableRowError(f"a frame holds at most {_MAX_FRAME} bytes")
