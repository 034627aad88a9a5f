"""The entries of a log's index: what is known about each patch without reading it.

Entries are stored in blocks of consecutive patches: JSON Lines, compressed with gzip. Blocks that
follow each other can be concatenated, byte by byte, and are then one block.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple

from jelly_spark.errors import LogError
from jelly_spark.formats import find_format
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.patch_files import FORMAT
from jelly_spark.log.entries.subject_filters import parse_filter

VERSION = 1
"""The version of managed logs that this release reads and writes."""

EXTENSION = find_format(FORMAT).extension
"""The extension of the files that `Log` appends."""

# Larger numbers do not fit the names of files.
_MOST = 10**18

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)


class Block(NamedTuple):
    """The entries of consecutive patches.

    Attributes:
        generation: the number of the settings of the log when the block was written.
        begin: the position of the first patch of the log according to these settings.
        first: the position of the first patch of the block.
        prev: the id of the patch before it; None if there is none.
        chain: the digest of all patches before it, see `chain_digest`.
        entries: the entries, in order.
    """

    generation: int
    begin: Position
    first: Position
    prev: str | None
    chain: str
    entries: list[Entry]

    @property
    def next(self) -> Position:
        """The position of the patch after the last one."""
        return Position(self.first + len(self.entries))

    @property
    def head(self) -> str | None:
        """The id of the last patch, or of the one before the first."""
        return self.entries[-1].id if self.entries else self.prev

    def entry(self, position: int) -> Entry:
        """Return the entry of the patch at a position."""
        return self.entries[position - self.first]

    def find(self, id: str | None, end: int) -> Position | None:
        """Return the position of the last patch with an id that is before a position, if any."""
        found = reversed(self.entries[: end - self.first])
        return next((entry.position for entry in found if entry.id == id), None)

    def by_position(self) -> dict[int, Entry]:
        """Return the entries by their positions."""
        return {entry.position: entry for entry in self.entries}

    def chain_at(self, position: int) -> str:
        """Return the digest of all patches up to a position in the block, or just before it."""
        return chain_digest(self.chain, self.entries[: position + 1 - self.first])

    def parts(self, position: int) -> tuple[Block, Block]:
        """Return the block in two parts, of which the second begins at a position."""
        entries = self.entries[: position - self.first]
        before = self._replace(entries=entries)
        chain, rest = self.chain_at(position - 1), self.entries[len(entries) :]
        after = self._replace(first=Position(position), prev=before.head, chain=chain, entries=rest)
        return before, after


def block_of(entries: Sequence[Entry], begin: int = 0) -> Block:
    """Return the block of all patches of a log, given the position of the first one."""
    placed = [
        entry._replace(position=Position(position)) for position, entry in enumerate(entries, begin)
    ]
    first = Position(begin)
    return Block(0, first, first, entries[0].prev if entries else None, "", placed)


def file_of(log_seq: int) -> str:
    """Return the name of the file of an appended patch: 20 digits and the extension."""
    return f"{log_seq:020d}{EXTENSION}"


def number_of(name: str) -> int | None:
    """Return the position in the name of a file, see `file_of`; None if it has another name."""
    number = name.removesuffix(EXTENSION)
    return int(number) if number.isdecimal() and name == file_of(int(number)) else None


def chain_digest(before: str, entries: Iterable[Entry]) -> str:
    """Return a digest of all patches up to the last of some consecutive ones.

    Args:
        before: the digest of all patches before them; empty if there are none.
        entries: the entries of the patches.
    """
    for entry in entries:
        text = f"{before} {entry.sha256} {entry.patch}"
        before = hashlib.sha256(text.encode("ascii")).hexdigest()[:32]
    return before


def dump(block: Block) -> bytes:
    """Return the bytes of a block."""
    *head, entries = block
    lines: list[Any] = [dict(zip(("version", *Block._fields), (VERSION, *head), strict=False))]
    for entry in entries:
        assert entry.time is not None
        flags = (entry.committed, entry.statements, entry.prefixes, entry.canonical)
        has_message = entry.message is not None
        bits = sum(flag << bit for bit, flag in enumerate((*flags, has_message)))
        micros = (entry.time - _EPOCH) // _MICROSECOND
        line: list[Any] = [entry.id, entry.size, entry.sha256, micros, bits]
        if (entry.file, entry.patch) != (file_of(entry.position), 0):
            line += [entry.file, entry.patch]
        if entry.subjects is not None:
            line.append(entry.subjects.hex())
        if has_message:
            line.append(entry.message)
        lines.append(line)
    # `json.dumps` escapes all but ASCII: a header may hold a lone surrogate, which UTF-8 cannot.
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    return gzip.compress(text.encode("ascii"), mtime=0)


def start_of_entry(id: str | None) -> bytes:
    """Return what the line of the patch with an id begins with, as `dump` writes it."""
    return f"[{json.dumps(id)},".encode("ascii")


def dump_segment(block: Block, size: int) -> bytes:
    """Return the bytes of a block, divided into blocks of some patches."""
    found, part = [], block._replace(entries=[])
    for stop in range((block.first // size + 1) * size, block.next + size, size):
        first, chain = part.next, part.chain_at(part.next - 1)
        entries = block.entries[first - block.first : stop - block.first]
        part = part._replace(first=first, prev=part.head, chain=chain, entries=entries)
        found.append(dump(part))
    return b"".join(found)


def load(data: bytes, name: str) -> Block | None:
    """Return a block, given its bytes; None if they are damaged.

    Args:
        data: the bytes of one block, or of several that follow each other.
        name: the name of their file, for messages.

    Raises:
        LogError: they are of a newer version.
    """
    try:
        return parse(decompress(data), name)
    except (EOFError, OSError, zlib.error):
        return None


def decompress(data: bytes) -> bytes:
    """Return decompressed bytes. `gzip.decompress` copies the rest of the data for each block."""
    return gzip.GzipFile(fileobj=BytesIO(data)).read()


def parse(text: bytes, name: str) -> Block | None:
    """Return a block, given its lines, as in `load`; None if they are damaged.

    Raises:
        LogError: they are of a newer version.
    """
    try:
        found: Block | None = None
        log_seq, prev = 0, None
        for line in json.loads(b"[" + b",".join(text.splitlines()) + b"]"):
            if isinstance(line, dict):
                check_version(line.pop("version"), name)
                head = Block(**line, entries=[])
                _check(head)
                if found is None:
                    found, log_seq, prev = head, head.first, head.prev
                elif (head.first, head.prev) != (log_seq, prev):
                    return None
            else:
                assert found is not None
                entry = _entry(line, log_seq, prev)
                found.entries.append(entry)
                log_seq, prev = log_seq + 1, entry.id
        return found
    except (AssertionError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        return None


def _check(head: Block) -> None:
    """Check the types of what a block begins with.

    Raises:
        ValueError: it is malformed.
    """
    numbers = (head.generation, head.begin, head.first)
    if not all(isinstance(number, int) and 0 <= number < _MOST for number in numbers):
        raise ValueError(numbers)
    if not isinstance(head.prev, str | None) or not isinstance(head.chain, str):
        raise ValueError(head.prev, head.chain)


def _entry(line: Any, log_seq: int, prev: str | None) -> Entry:
    id, size, sha256, micros, bits, *rest = line
    committed, statements, prefixes, canonical, has_message = _flags(bits)
    message = None
    if has_message:
        *rest, message = rest
        if not isinstance(message, str):
            raise ValueError(message)
    # Only a filter makes their number odd.
    subjects = parse_filter(rest.pop()) if len(rest) % 2 else None
    file, patch = rest or (file_of(log_seq), 0)
    flags = (committed, statements, prefixes, canonical)
    place = (_EPOCH + micros * _MICROSECOND, file, patch, Position(log_seq))
    return Entry(id, prev, *flags, subjects, message, size, sha256, *place)


@lru_cache(maxsize=64)
def _flags(bits: int) -> tuple[bool, ...]:
    """Return the flags of a line, given a number whose lowest bit is the first one.

    They are the four flags of an entry, and whether the line ends with a message.
    """
    return tuple(bool(bits >> bit & 1) for bit in range(5))


def check_version(version: Any, name: str) -> None:
    """Check the version of a file of a managed log.

    Raises:
        LogError: it is newer than this release.
        ValueError: it is not a version.
    """
    if isinstance(version, int) and version > VERSION:
        raise LogError(
            f"{name} has version {version}, and this release of jelly-spark reads version "
            f"{VERSION}: use the release that wrote it, or a later one"
        )
    if version != VERSION:
        raise ValueError(version)
