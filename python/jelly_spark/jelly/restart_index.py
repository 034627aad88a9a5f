"""Restart points, from which a file can be read without what is before, and the index of them.

The index is the value of an entry of the last frame's metadata, and so the file's last bytes.
Numbers of 64 bits, the lowest byte first: the version, seven for each point, the length of the
file, the length of the value; then eight letters.
"""

from __future__ import annotations

from itertools import pairwise
from struct import Struct
from typing import BinaryIO, NamedTuple

from jelly_spark.jelly.metadata import entry_field

KEY = "jelly-spark.index"
"""The key of the entry."""

_VERSION = 1
_MAGIC = b"JellyIdx"
_NUMBER = Struct("<q")
_POINT = Struct("<7q")
# The length of the file, that of the value, and the letters.
_END = Struct("<qq8s")
_FRAMEWORK_SIZE = _NUMBER.size + _END.size
# Far more than any file has; what a reader is ready to hold.
_MAX_SIZE = 1 << 24


class RestartPoint(NamedTuple):
    """A place in a file from which reading needs nothing before it, and what there is before it.

    Attributes:
        offset: byte offset of a frame.
        frames: frames before it.
        rows: rows as a reader numbers them, namespaces of Jelly-RDF included.
        namespaces: those of them that are namespaces of Jelly-RDF.
        patches: patches that are closed.
        transactions: transactions that have begun.
        in_transaction: whether the last one is open.
    """

    offset: int = 0
    frames: int = 0
    rows: int = 0
    namespaces: int = 0
    patches: int = 0
    transactions: int = 0
    in_transaction: bool = False

    def counts(self) -> str:
        """Return what is before the point, in words."""
        counts = (
            f"{self.frames} frames, {self.rows} rows, {self.namespaces} namespaces, "
            f"{self.patches} patches, {self.transactions} transactions"
        )
        return f"{counts}, one open" if self.in_transaction else counts


START = RestartPoint()
"""The beginning of a file."""


def index_size(points: int) -> int:
    """Return the length of the index of this many points, in bytes."""
    return _FRAMEWORK_SIZE + points * _POINT.size


def has_room(points: int) -> bool:
    """Whether an index may hold another point beside this many."""
    return index_size(points + 1) <= _MAX_SIZE


def encode_index(points: list[RestartPoint], file_length: int) -> bytes:
    """Return the index.

    Args:
        points: the points, in order.
        file_length: the length of the whole file in bytes, the index included.
    """
    size = index_size(len(points))
    numbers = b"".join(_POINT.pack(*point) for point in points)
    return _NUMBER.pack(_VERSION) + numbers + _END.pack(file_length, size, _MAGIC)


def index_field(points: list[RestartPoint], file_length: int) -> bytes:
    """Return the index as a field of its frame; the arguments are those of `encode_index`."""
    return entry_field(KEY.encode(), encode_index(points, file_length))


def read_index(stream: BinaryIO, start: int) -> list[RestartPoint]:
    """Return the restart points of a file, in order; none where it has no index that fits it.

    That they are what the index says is for the reader to prove.

    Args:
        stream: what the file is read from; it can seek.
        start: where in the stream the file begins; it ends with the stream.

    Raises:
        OSError: the stream cannot be read, or not seek.
    """
    length = stream.seek(0, 2) - start
    if length < index_size(1):
        return []
    file_length, size, magic = _END.unpack(_read_at(stream, start + length - _END.size, _END.size))
    if magic != _MAGIC or file_length != length:
        return []
    if not index_size(1) <= size <= min(_MAX_SIZE, length):
        return []
    if (size - _FRAMEWORK_SIZE) % _POINT.size:
        return []
    index = _read_at(stream, start + length - size, size)
    if _NUMBER.unpack_from(index)[0] != _VERSION:
        return []
    points = [
        RestartPoint(*numbers)._replace(in_transaction=numbers[-1] != 0)
        for numbers in _POINT.iter_unpack(index[_NUMBER.size : -_END.size])
    ]
    offsets = [0, *(point.offset for point in points), length]
    rises = all(before < after for before, after in pairwise(offsets))
    return points if rises else []


def _read_at(stream: BinaryIO, at: int, size: int) -> bytes:
    stream.seek(at)
    parts = []
    while size > 0:
        part = stream.read(size)
        if not part:
            raise EOFError("the file is shorter than its length")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
