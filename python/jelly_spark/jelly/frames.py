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
from jelly_spark.jelly.wire import (
    BYTES,
    END_GROUP,
    FIXED32,
    FIXED64,
    START_GROUP,
    VARINT,
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

METADATA_TAG = tag(RdfStreamFrame, "metadata", BYTES)
"""The tag of an entry of a frame's metadata, which only Jelly-RDF has."""

# A frame of Jelly-Patch has the same field.
_ROW_TAG = tag(RdfStreamFrame, "rows", BYTES)
_ROW_FIELD = _ROW_TAG[0]
_METADATA_FIELD = METADATA_TAG[0]


class FrameReader:
    """Splits a stream of bytes into rows, reading no further than it must.

    Args:
        stream: where to read from, from its current position on.
        take_metadata: what takes the entries of frames' metadata, messages. Without it they are
            skipped unread, as unknown fields are.

    Attributes:
        delimited: whether frames have their length before them; True until bytes are read.
        offset: byte offset, from where reading began, of the frame read last.
        row: number of the row read last in its frame.
    """

    def __init__(
        self, stream: BinaryIO, take_metadata: Callable[[bytes], None] | None = None
    ) -> None:
        self._read = stream.read
        self._take_metadata = take_metadata
        self._buffer = b""
        # Where in the buffer reading stands, and where in the stream the buffer begins.
        self._at = 0
        self._start = 0
        self.delimited = True
        self.offset = 0
        self.row = 0

    def __iter__(self) -> Iterator[bytes | None]:
        """Yield each row's bytes, and None at the end of each frame.

        Raises:
            Violation: the bytes are no frames, or end within one.
        """
        self.delimited = self._looks_delimited()
        if not self.delimited:
            yield from self._rows(_UNENDING)
            yield None
            return
        while self._fill(1):
            self.offset = self._position
            length = self._frame_length()
            yield from self._rows(self._position + length)
            yield None

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
    """Joins rows to frames.

    Args:
        stream: where to write to; it is not closed.
        delimited: whether frames have their length before them. If not, frames have no ends, and
            rows are written as they come.

    Attributes:
        rows: number of rows in the frame that is not yet written.
    """

    def __init__(self, stream: BinaryIO, delimited: bool) -> None:
        self._write = stream.write
        self._delimited = delimited
        self._pending: list[bytes] = []
        self.rows = 0

    def add(self, rows: list[bytes]) -> None:
        """Add rows, each one a message without its length."""
        pending = self._pending
        for row in rows:
            pending += (_ROW_TAG, varint(len(row)), row)
        if self._delimited:
            self.rows += len(rows)
        else:
            self._write(b"".join(pending))
            pending.clear()

    def end(self, fields: bytes = b"") -> None:
        """End the frame and write it, even an empty one. Without lengths, a frame has no end.

        Args:
            fields: what the frame holds besides its rows, written after them.

        Raises:
            UnwritableRowError: the frame is longer than a reader takes.
        """
        frame = b"".join(self._pending) + fields
        if self._delimited:
            if len(frame) > _MAX_FRAME:
                raise UnwritableRowError(f"a frame holds at most {_MAX_FRAME} bytes")
            frame = varint(len(frame)) + frame
        self._write(frame)
        self._pending.clear()
        self.rows = 0
