"""Splitting a Jelly file into frames, and these into the bytes of their rows.

A delimited stream has a length before each frame. An undelimited one is a single frame without a
length (Jelly-RDF and Jelly-Patch, "Delimited variant").
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.row_size import longer_row
from jelly_spark.core.varint import GROUP_BITS, ONE_BYTE_MAX
from jelly_spark.jelly.frames.frame_format import MAX_FRAME_SIZE, METADATA_TAG, ROW_TAG
from jelly_spark.jelly.frames.restart_index import START, RestartPoint
from jelly_spark.jelly.wire import (
    BYTES,
    END_GROUP,
    FIXED_SIZES,
    MAX_VARINT,
    START_GROUP,
    VARINT,
    second_byte,
)

# The number of bytes per read. Memory grows with the bytes that are read, never with a length that
# a frame declares.
_CHUNK: Final = 1 << 16
# The deepest nesting of groups that Protobuf's own parsers accept.
_MAX_GROUPS: Final = 100
# The end of a frame or range that ends with the stream.
_UNENDING: Final = sys.maxsize

# Empty frames: each is a length of 0.
_EMPTY_FRAMES: Final = re.compile(b"\0*")

# The largest size of a row on the fast path, where the length is a varint of at most two bytes.
_MAX_SHORT_ROW: Final = (1 << 2 * GROUP_BITS) - 1

DECODED: Final = 0
"""Stands for the rows that `decode_run` has decoded."""

# Both tags have one byte.
_ROW_FIELD: Final = ROW_TAG[0]
_METADATA_FIELD: Final = METADATA_TAG[0]
# A tag is a field number, at least 1, and a wire type of three bits; it fits 32 bits.
_MIN_TAG: Final = 1 << 3
_MAX_TAG: Final = (1 << 32) - 1
_WIRE_TYPE_BITS: Final = 7
# Protobuf keeps the low 64 of the 70 bits of a varint.
_MAX_VARINT_BITS: Final = MAX_VARINT * GROUP_BITS
_LOW_64_BITS: Final = (1 << 64) - 1


class FrameReader:
    """Splits a stream of bytes into rows, in memory bounded by the longest row.

    Args:
        stream: the stream to read, from its current position on.
        max_row_size: the largest size of a row in bytes.
        take_metadata: a function that is called with the bytes of each metadata entry of a frame.
            By default, metadata is skipped, like unknown fields.
        decode_run: a function that decodes a run of short rows: see `JellyDecoder.decode_run`. By
            default, all rows are yielded.
        start: the place in the file that is the current position of the stream.
        end: byte offset in the file where reading ends; a frame must end exactly there. None for
            the end of the stream.

    Attributes:
        delimited: whether frames are preceded by their length; True until bytes are read.
        offset: byte offset in the file of the current frame, including its length.
        row: 0-based number of the current row in its frame.
        is_empty: whether the current frame is delimited and empty.
        frames: number of frames of the file read so far, including those before `start`.
    """

    def __init__(
        self,
        stream: BinaryIO,
        max_row_size: int,
        take_metadata: Callable[[bytes | bytearray], None] | None = None,
        decode_run: Callable[[bytes, int, int], tuple[int, int]] | None = None,
        *,
        start: RestartPoint = START,
        end: int | None = None,
    ) -> None:
        self._read = stream.read
        self._max_row_size = max_row_size
        self._take_metadata = take_metadata
        # A run has rows of up to `_MAX_SHORT_ROW` bytes.
        self._decode_run = decode_run if max_row_size >= _MAX_SHORT_ROW else None
        self._buffer = b""
        # The index of the next byte in the buffer, and the byte offset of the buffer in the file.
        self._at = 0
        self._start = start.offset
        self._end = _UNENDING if end is None else end
        self.delimited = True
        self.offset = start.offset
        self.row = 0
        self.is_empty = False
        self.frames = start.frames

    def __iter__(self) -> Iterator[bytes | bytearray | int | None]:
        """Yield the rows, and None at the end of a frame.

        Yields:
            The bytes of a row (a bytearray if it is long), or `DECODED`.

        Raises:
            Violation: a frame is malformed, or the stream ends within it.
        """
        # Only delimited streams have restart points.
        self.delimited = self._start > 0 or self._looks_delimited()
        if not self.delimited:
            if self._end < _UNENDING:
                raise self._no_restart_point("a file that is one undelimited frame")
            yield from self._rows(_UNENDING)
            self.frames += 1
            yield None
            return
        while self._position < self._end and self._fill(1):
            end = self._begin_frame()
            if end > self._end:
                raise self._no_restart_point(f"a frame that ends at byte {end}")
            yield from self._rows(end)
            self.frames += 1
            yield None

    def next_row(self) -> bytes | bytearray | None:
        """Return the first row of the frame after the range that was read; None if it has none."""
        end = self._begin_frame()
        self.row = -1
        return self._next_row(end)

    def skip_empty_frames(self) -> int:
        """Skip the next empty frames, as far as they are in the buffer, and return their number.

        Call it after an empty frame.
        """
        at = self._at
        last = min(len(self._buffer), self._end - self._start)
        match = _EMPTY_FRAMES.match(self._buffer, at, last)
        assert match is not None
        self._at = match.end()
        # As if each had been read: the last one is the current frame.
        self.offset = self._position - 1
        self.frames += self._at - at
        return self._at - at

    def _no_restart_point(self, found: str) -> Violation:
        expected = f"a frame that ends by byte {self._end}, where the index has a restart point"
        return Violation(expected, found, in_row=False)

    def _begin_frame(self) -> int:
        """Read the length of the next frame; return the byte offset of its end."""
        self.offset = self._position
        length = self._frame_length()
        self.is_empty = length == 0
        return self._position + length

    def _looks_delimited(self) -> bool:
        # An undelimited stream begins with the tag of a row, 0A. A delimited one begins with 0A
        # only if its first frame has ten bytes. Then the next byte is the tag of a row, with a
        # length other than 0A because the frame has only eight bytes left, or the tag of metadata,
        # with a length below 0A.
        self._fill(3)
        head = self._buffer[:3]
        if head[:1] != ROW_TAG:
            return True
        if len(head) < 3:
            return False
        if head[1] == _METADATA_FIELD:
            return head[2] < _ROW_FIELD
        return head[1] == _ROW_FIELD and head[2] != _ROW_FIELD

    def _frame_length(self) -> int:
        length = self._varint(_UNENDING)
        if length > MAX_FRAME_SIZE:
            raise Violation(
                f"a frame of at most {MAX_FRAME_SIZE} bytes",
                f"a frame of {length} bytes",
                in_row=False,
            )
        return length

    def _rows(self, end: int) -> Iterator[bytes | bytearray | int]:
        """Yield the rows of a frame, given the byte offset of its end in the file."""
        self.row = -1
        while True:
            if self._decode_run is not None:
                last = min(len(self._buffer), end - self._start)
                at, rows = self._decode_run(self._buffer, self._at, last)
                if rows:
                    self._at = at
                    self.row += rows
                    yield DECODED
                    continue
            row = self._next_row(end)
            if row is None:
                return
            yield row

    def _next_row(self, end: int) -> bytes | bytearray | None:
        """Return the next row of a frame; None if there are no more."""
        while self._position < end and (end < _UNENDING or self._fill(1)):
            row = self._short_row(min(len(self._buffer), end - self._start))
            if row is not None:
                self.row += 1
                return row
            key = self._key(end)
            if key == _ROW_FIELD:
                self.row += 1
                return self._bytes(end, "row", in_row=True)
            if key == _METADATA_FIELD and self._take_metadata is not None:
                self._take_metadata(self._bytes(end, "field", in_row=False))
            else:
                self._skip_field(key, end)
        return None

    def _short_row(self, last: int) -> bytes | None:
        """Return the next row if the buffer holds it, and its length has one or two bytes.

        Args:
            last: index after the bytes of the frame in the buffer.
        """
        buffer = self._buffer
        begin = self._at + 2
        if begin >= last or buffer[begin - 2] != _ROW_FIELD:
            return None
        size = buffer[begin - 1]
        if size > ONE_BYTE_MAX:
            if buffer[begin] > ONE_BYTE_MAX:
                return None
            size += second_byte(buffer, begin)
            begin += 1
        if begin + size > last or size > self._max_row_size:
            return None
        self._at = begin + size
        return buffer[begin : self._at]

    def _bytes(self, end: int, what: str, *, in_row: bool) -> bytes | bytearray:
        """Read a field's length and the bytes after it."""
        size = self._varint(end)
        self._check_size(size, end, what, in_row=in_row)
        if in_row and size > self._max_row_size:
            raise longer_row(self._max_row_size)
        data = bytearray()
        while len(data) < size:
            if not self._fill(1):
                raise self._cut_off()
            part = self._buffer[self._at : self._at + size - len(data)]
            self._at += len(part)
            data += part
        # Do not copy a long row: decoding may need the memory.
        return data if size > _CHUNK else bytes(data)

    def _skip_field(self, key: int, end: int) -> None:
        """Skip the value of an unknown field; of a group, with all fields in it."""
        groups: list[int] = []
        while True:
            wire_type = key & _WIRE_TYPE_BITS
            if wire_type == VARINT:
                self._varint(end)
            elif wire_type == BYTES:
                self._skip(self._varint(end), end)
            elif wire_type in FIXED_SIZES:
                self._skip(FIXED_SIZES[wire_type], end)
            elif wire_type == START_GROUP and len(groups) < _MAX_GROUPS:
                groups.append(key >> 3)
            elif wire_type != END_GROUP or not groups or groups.pop() != key >> 3:
                raise Violation("a valid field tag", f"the tag {key}", in_row=False)
            if not groups:
                return
            key = self._key(end)

    def _key(self, end: int) -> int:
        key = self._varint(end)
        if not _MIN_TAG <= key <= _MAX_TAG:
            raise Violation("a valid field tag", f"the tag {key}", in_row=False)
        return key

    def _varint(self, end: int) -> int:
        """Read a varint of up to 64 bits that must not go beyond a byte offset of the file."""
        number = 0
        for shift in range(0, _MAX_VARINT_BITS, GROUP_BITS):
            if self._position >= end:
                raise Violation(
                    "a varint that ends within its frame", "the end of the frame", in_row=False
                )
            if not self._fill(1):
                raise self._cut_off()
            byte = self._buffer[self._at]
            self._at += 1
            number |= (byte & ONE_BYTE_MAX) << shift
            if byte <= ONE_BYTE_MAX:
                return number & _LOW_64_BITS
        raise Violation("a varint of at most 10 bytes", "a longer varint", in_row=False)

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
        """Read until the buffer has `size` bytes left; return False if the stream ends before."""
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
