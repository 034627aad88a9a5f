"""Filters of the terms in each restart range, with which a reader can skip ranges.

They are the value of a metadata entry directly before the index of restart points. All integers are
little-endian. The value consists of:

1. the blocks of the filters: for each column, in the order of `COLUMNS`, and each restart range;
2. for each of them, the number of its blocks and their CRC-32, as 32-bit integers. The number is -1
   if the column has no filter for this range; it is 0 if the range has no term in this column;
3. as 64-bit integers: a version, the columns, as a sum of `1 << position in COLUMNS`, the number of
   restart ranges, and the length of the value;
4. as a 64-bit integer, the CRC-32 of the points in the index, followed by the parts 2 and 3;
5. eight magic bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import SEEK_END
from itertools import accumulate
from struct import Struct
from typing import BinaryIO
from zlib import crc32

from jelly_spark.core.bloom_filter import BLOCK_SIZE, block_count, build_filter, may_contain
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.xxhash64 import xxhash64
from jelly_spark.jelly.frames.frame_format import entry_field
from jelly_spark.jelly.frames.restart_index import (
    RestartPoint,
    encode_points,
    index_field_size,
    read_at,
)
from jelly_spark.jelly.options import TERM_COLUMNS

KEY = "jelly-spark.filters"
"""The key of the filters in the frame's metadata."""

_VERSION = 1
# UTF-8 has no byte FF, so no literal can hold what looks like filters.
_MAGIC = b"JellyFl\xff"
_SIZES = Struct("<iI")
_SUMMED_END = Struct("<4q")
_END = Struct("<4qq8s")
_NO_FILTER = -1
# The largest value in bytes, which limits the memory of writers and readers. Ranges for which there
# is no more room have no filters.
_MAX_SIZE = 1 << 26
# The most terms in a filter, whose hashes the writer holds in memory. A range with more terms in a
# column has no filter for it.
_MAX_TERMS = 1 << 21


class FilterBuilder:
    """Collects the terms of each restart range, and builds their filters.

    Args:
        columns: the names of the columns that have filters.
        bits: the number of bits for each term.
    """

    def __init__(self, columns: Iterable[str], bits: int) -> None:
        self._columns = [at for at, name in enumerate(TERM_COLUMNS) if name in set(columns)]
        self._bits = bits
        self._hash = BoundedCache(_hash_term)
        # The hashes of the current range, by column; None if there are too many.
        self._hashes: list[set[int] | None] = [set() for _ in self._columns]
        # The filters of the ranges so far, by column; None for no filter.
        self._filters: list[list[bytearray | None]] = [[] for _ in self._columns]
        self._ranges = 0
        self._size = _END.size

    def add(self, terms: Sequence[str | None]) -> None:
        """Add the terms of a row to the current range, in the order of `TERM_COLUMNS`."""
        for number, column in enumerate(self._columns):
            term = terms[column]
            hashes = self._hashes[number]
            if term is not None and hashes is not None:
                hashes.add(self._hash[term])
                if len(hashes) > _MAX_TERMS:
                    self._hashes[number] = None

    def end_range(self) -> None:
        """End the current range, and begin the next one."""
        self._ranges += 1
        for filters, hashes in zip(self._filters, self._hashes, strict=True):
            self._size += _SIZES.size
            size = 0 if hashes is None else block_count(len(hashes), self._bits) * BLOCK_SIZE
            if hashes is None or self._size + size > _MAX_SIZE:
                filters.append(None)
            else:
                self._size += size
                filters.append(build_filter(hashes, self._bits))
        self._hashes = [set() for _ in self._columns]

    def field(self, points: list[RestartPoint]) -> bytes:
        """Return the filters of all ranges as a field of the last frame.

        Args:
            points: the restart points of the index.
        """
        filters = [one for column in self._filters for one in column]
        sizes = b"".join(
            _SIZES.pack(_NO_FILTER, 0)
            if one is None
            else _SIZES.pack(len(one) // BLOCK_SIZE, crc32(one))
            for one in filters
        )
        blocks = b"".join(one for one in filters if one is not None)
        size = len(blocks) + len(sizes) + _END.size
        mask = sum(1 << column for column in self._columns)
        end = _SUMMED_END.pack(_VERSION, mask, self._ranges, size)
        check = _END.pack(*_SUMMED_END.unpack(end), _checksum(points, sizes, end), _MAGIC)
        return entry_field(KEY.encode(), blocks + sizes + check)


class TermFilters:
    """The filters of a file; `read_filters` returns them.

    Args:
        stream: the seekable stream of the file.
        places: for each column that has filters, by its name, and for each restart range: the
            position of the blocks in the stream, their number and their CRC-32.
    """

    def __init__(self, stream: BinaryIO, places: dict[str, list[tuple[int, int, int]]]) -> None:
        self._stream = stream
        self._places = places

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the columns that have filters."""
        return iter(self._places)

    def sizes(self, column: str) -> list[int | None]:
        """Return the sizes in bytes of a column's filters, by restart range; None for no filter."""
        counts = (count for _, count, _ in self._places[column])
        return [None if count < 0 else count * BLOCK_SIZE for count in counts]

    def may_contain(self, column: str, number: int, hashes: Iterable[int]) -> bool:
        """Return whether a restart range may have one of these terms in a column.

        It may if it has no filter, or if the filter is damaged.

        Args:
            column: the name of the column.
            number: the number of the range in the file, from 0 on.
            hashes: the xxHash64 of the canonical strings of the terms.

        Raises:
            EOFError: the file became shorter while it was read.
            OSError: the stream cannot be read.
        """
        places = self._places.get(column)
        if places is None:
            return True
        at, count, check = places[number]
        if count < 0:
            return True
        blocks = read_at(self._stream, at, count * BLOCK_SIZE)
        return crc32(blocks) != check or any(may_contain(blocks, one) for one in hashes)


def read_filters(stream: BinaryIO, start: int, points: list[RestartPoint]) -> TermFilters | None:
    """Return the filters of a file; None if it has none, or if they do not fit the index.

    Args:
        stream: a seekable stream.
        start: position in the stream where the file begins.
        points: the restart points of the file's index; at least one.

    Raises:
        EOFError: the file became shorter while it was read.
        OSError: the stream cannot be read.
    """
    end = stream.seek(0, SEEK_END) - start - index_field_size(len(points))
    if end < _END.size:
        return None
    at_end = read_at(stream, start + end - _END.size, _END.size)
    version, mask, ranges, size, check, magic = _END.unpack(at_end)
    if magic != _MAGIC or version != _VERSION or ranges != len(points) + 1:
        return None
    if not 0 < mask < 1 << len(TERM_COLUMNS):
        return None
    columns = [name for at, name in enumerate(TERM_COLUMNS) if mask >> at & 1]
    without_blocks = len(columns) * ranges * _SIZES.size + _END.size
    if not without_blocks <= size <= min(_MAX_SIZE, end):
        return None
    sizes = read_at(stream, start + end - without_blocks, without_blocks - _END.size)
    if _checksum(points, sizes, at_end[: _SUMMED_END.size]) != check:
        return None
    found = list(_SIZES.iter_unpack(sizes))
    lengths = [max(count, 0) * BLOCK_SIZE for count, _ in found]
    if sum(lengths) != size - without_blocks:
        return None
    begins = accumulate(lengths, initial=start + end - size)
    places = [(at, *one) for at, one in zip(begins, found, strict=False)]
    return TermFilters(
        stream,
        {
            name: places[number * ranges : (number + 1) * ranges]
            for number, name in enumerate(columns)
        },
    )


def _hash_term(text: str) -> int:
    # A string that is written need not be canonical.
    return xxhash64(format_term(parse_term(text)).encode())


def _checksum(points: list[RestartPoint], sizes: bytes, end: bytes) -> int:
    return crc32(end, crc32(sizes, crc32(encode_points(points))))
