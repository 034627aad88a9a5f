"""Restart points and the index that lists them.

A restart point is a frame from which a file can be read without anything before it. The index is
the value of a metadata entry of the last frame, and ends the file. It consists of signed 64-bit
integers, little-endian: a version, the seven attributes of each `RestartPoint` in their order, the
length of the file, and the length of the value itself. Eight magic bytes follow.
"""

from __future__ import annotations

from io import SEEK_END
from itertools import pairwise
from struct import Struct
from typing import BinaryIO, NamedTuple

from jelly_spark.core.varint import decode_varint
from jelly_spark.jelly.frames.frame_format import entry_field
from jelly_spark.jelly.wire import BYTES, FIXED_SIZES, MAX_VARINT, VARINT

KEY = "jelly-spark.index"
"""The key of the index in the frame's metadata."""

_VERSION = 1
_MAGIC = b"JellyIdx"
_NUMBER = Struct("<q")
_POINT = Struct("<7q")
# The length of the file, the length of the value, and the magic bytes.
_END = Struct("<qq8s")
_SIZE_WITHOUT_POINTS = _NUMBER.size + _END.size
# The largest index in bytes. A reader loads the whole index; 16 MiB hold some 300,000 points.
_MAX_SIZE = 1 << 24
# The longest file that `_field_begins_at` is called for, in bytes. If the bytes of an index are
# valid UTF-8, it has few points, so its file is short.
_MAX_WALKED = 1 << 26


class RestartPoint(NamedTuple):
    """A frame from which a file can be read without anything before it.

    The order of the attributes is their order in the index.

    Attributes:
        offset: byte offset of the frame in the file.
        frames: number of frames before it.
        rows: number of rows before it, as a reader numbers them, including namespaces in Jelly-RDF.
        namespaces: number of namespaces in Jelly-RDF among these rows.
        patches: number of patches that end before it.
        transactions: number of transactions that begin before it.
        in_transaction: whether the last of these transactions is open.
    """

    offset: int = 0
    frames: int = 0
    rows: int = 0
    namespaces: int = 0
    patches: int = 0
    transactions: int = 0
    in_transaction: bool = False

    def counts(self) -> str:
        """Return the numbers as error messages show them."""
        counts = (
            f"{self.frames} frames, {self.rows} rows, {self.namespaces} namespaces, "
            f"{self.patches} patches, {self.transactions} transactions"
        )
        return f"{counts}, one open" if self.in_transaction else counts


START = RestartPoint()
"""The start of a file."""


def index_size(points: int) -> int:
    """Return the length in bytes of an index with this many points."""
    return _SIZE_WITHOUT_POINTS + points * _POINT.size


def has_room(points: int) -> bool:
    """Return whether one more point can be added to an index with this many points."""
    return index_size(points + 1) <= _MAX_SIZE


def encode_index(points: list[RestartPoint], file_length: int) -> bytes:
    """Return the bytes of the index.

    Args:
        points: the restart points, in order.
        file_length: the length in bytes of the whole file, including the index.
    """
    size = index_size(len(points))
    return _NUMBER.pack(_VERSION) + encode_points(points) + _END.pack(file_length, size, _MAGIC)


def encode_points(points: list[RestartPoint]) -> bytes:
    """Return the bytes of the restart points in the index."""
    return b"".join(_POINT.pack(*point) for point in points)


def index_field_size(points: int) -> int:
    """Return the length in bytes of the field of an index with this many points."""
    size = index_size(points)
    return len(_field_start(size)) + size


def index_field(points: list[RestartPoint], file_length: int) -> bytes:
    """Return the index as a field of its frame; the arguments are those of `encode_index`."""
    return entry_field(KEY.encode(), encode_index(points, file_length))


def read_index(stream: BinaryIO, start: int) -> list[RestartPoint]:
    """Return the restart points of a file in order, as its index lists them.

    This function checks only the form of the index. The reader verifies each restart point when it
    reaches it, so a forged index leads to an error, never to wrong rows.

    Args:
        stream: a seekable stream.
        start: position in the stream where the file begins; it ends where the stream ends.

    Returns:
        The restart points. An empty list if the file has no index, or if the index is for a file of
        another length, because files were concatenated. A literal that looks like an index is
        ignored.

    Raises:
        EOFError: the file became shorter while it was read.
        OSError: the stream cannot be read or cannot seek.
    """
    length = stream.seek(0, SEEK_END) - start
    if length < index_size(1):
        return []
    file_length, size, magic = _END.unpack(read_at(stream, start + length - _END.size, _END.size))
    if magic != _MAGIC or file_length != length:
        return []
    if not index_size(1) <= size <= min(_MAX_SIZE, length):
        return []
    if (size - _SIZE_WITHOUT_POINTS) % _POINT.size:
        return []
    field_start = _field_start(size)
    field_size = len(field_start) + size
    if field_size > length:
        return []
    field = read_at(stream, start + length - field_size, field_size)
    if not field.startswith(field_start):
        return []
    # The field could be part of a literal in a row. Literals are UTF-8, and an index very rarely
    # is: only then, check where the fields of the frame begin.
    if _is_utf8(field) and not (
        length <= _MAX_WALKED and _field_begins_at(stream, start, start + length - field_size)
    ):
        return []
    index = field[len(field_start) :]
    if _NUMBER.unpack_from(index)[0] != _VERSION:
        return []
    points = [
        RestartPoint(*numbers)._replace(in_transaction=numbers[-1] != 0)
        for numbers in _POINT.iter_unpack(index[_NUMBER.size : -_END.size])
    ]
    offsets = [0, *(point.offset for point in points), length]
    ascending = all(before < after for before, after in pairwise(offsets))
    return points if ascending else []


def are_possible(points: list[RestartPoint]) -> bool:
    """Return whether the counts of an index do not contradict each other.

    Counts do not decrease; namespaces are rows; and an open transaction has begun.
    """
    return all(
        before.frames <= point.frames
        and 0 <= point.namespaces - before.namespaces <= point.rows - before.rows
        and before.patches <= point.patches
        and before.transactions <= point.transactions
        and (point.transactions > 0 or not point.in_transaction)
        for before, point in pairwise((START, *points))
    )


def _field_start(size: int) -> bytes:
    """Return the start of the field of an index of `size` bytes, up to the index itself."""
    return entry_field(KEY.encode(), bytes(size))[:-size]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def read_at(stream: BinaryIO, at: int, size: int) -> bytes:
    """Return the bytes at a position of a stream.

    Raises:
        EOFError: the stream ends before.
        OSError: the stream cannot be read or cannot seek.
    """
    stream.seek(at)
    parts = []
    while size > 0:
        part = stream.read(size)
        if not part:
            raise EOFError("the file is shorter than its reported length")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _field_begins_at(stream: BinaryIO, start: int, place: int) -> bool:
    """Return whether a field of a frame begins at a position.

    Args:
        stream: a seekable stream.
        start: position in the stream where the file begins; the file must be delimited.
        place: the position in the stream to check.

    Raises:
        OSError: the stream cannot be read or cannot seek.
    """
    at = start
    try:
        while at < place:
            length, at = _varint(stream, at)
            if length <= place - at:
                at += length
            else:
                while at < place:
                    at = _field_end(stream, at)
    except (IndexError, ValueError):
        return False
    return at == place


def _field_end(stream: BinaryIO, at: int) -> int:
    tag, at = _varint(stream, at)
    wire_type = tag & 7
    if wire_type == BYTES:
        length, at = _varint(stream, at)
        return at + length
    if wire_type == VARINT:
        return _varint(stream, at)[1]
    if wire_type in FIXED_SIZES:
        return at + FIXED_SIZES[wire_type]
    raise ValueError


def _varint(stream: BinaryIO, at: int) -> tuple[int, int]:
    """Return the varint at a position, and the position after it."""
    stream.seek(at)
    number, size = decode_varint(stream.read(MAX_VARINT), 0, MAX_VARINT)
    return number, at + size
