"""The index of a managed log: what its patches hold, in segments that never change, and a tail.

A segment is a file with the entries of consecutive patches, see `block`. When a block of
`BLOCK` patches is complete, it becomes a segment. It is merged with the segments before it, so that
their sizes are powers of two, as in a log-structured merge tree: a million patches have 6 segments.
The names follow from the number of patches, so nothing is listed.

The tail has the entries after the last segment. It is replaced after an append. It may be older
than the log, because writers do not wait for each other: the names of newer patches are known, too.
So the files of the patches are the truth. The index is a cache, and is rebuilt if it is lost.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone
from heapq import merge
from pathlib import Path
from threading import RLock

from jelly_spark.core.files.local import FileInfo
from jelly_spark.errors import LogError
from jelly_spark.log.entry import Entry, Position
from jelly_spark.log.files import OWN, Files
from jelly_spark.log.index import packs
from jelly_spark.log.index.block import (
    Block,
    block_of,
    decompress,
    dump,
    dump_segment,
    file_of,
    load,
    number_of,
)
from jelly_spark.log.index.packs import Pack
from jelly_spark.log.index.segment import Segment
from jelly_spark.log.index.settings import (
    Settings,
    all_settings,
    create_settings,
    read_settings,
    settings_after,
)
from jelly_spark.log.scanned import FolderScan, read_file
from jelly_spark.log.view import LogView

LOGGER = logging.getLogger("jelly_spark.log")
"""Debug messages are about appended patches, and info messages about conflicts and housekeeping."""

TAIL = f"{OWN}/tail.jsonl.gz"
"""The file with the entries after the last segment."""

SEGMENTS = f"{OWN}/index"
"""The folder of the segments."""

BLOCK = 100
"""The number of patches in the smallest segment."""

_MOST_BLOCKS = 4096
"""The number of blocks in the largest segment, so that merging takes at most some 30 MB."""


def segments(begin: int, end: int) -> Iterator[range]:
    """Yield the positions that each segment of a log covers, in order.

    Args:
        begin: the position of the first patch of the log. Segments before it are left out.
        end: the position after the last patch.
    """
    blocks = end // BLOCK
    at = min(begin // BLOCK, blocks) // _MOST_BLOCKS * _MOST_BLOCKS
    while at < blocks:
        size = min(_MOST_BLOCKS, 1 << ((blocks - at).bit_length() - 1))
        if (at + size) * BLOCK > begin:
            yield range(at * BLOCK, (at + size) * BLOCK)
        at += size


def segment_file(positions: range) -> str:
    """Return the name of the file of a segment."""
    return f"{SEGMENTS}/{positions.start:020d}-{positions.stop - 1:020d}.jsonl.gz"


class LogIndex:
    """The index of a managed log.

    Args:
        files: the files of the log's folder.
        tail: the entries after the last segment.

    Attributes:
        lock: held by a thread that appends, or looks for new patches.
    """

    def __init__(self, files: Files, tail: Block) -> None:
        self._files = files
        self._tail = tail
        # Segments that were read, by the positions that they cover.
        self._segments: dict[range, Segment] = {}
        # The last settings that were read.
        self._settings: Settings | None = None
        # Whether the tail has entries that its file may lack.
        self._is_new = False
        self.lock = RLock()

    @classmethod
    def open(cls, files: Files) -> LogIndex | None:
        """Return the index of a managed log; None if the folder is not one.

        Raises:
            LogError: the log has a newer version than this release.
        """
        tail = _read_block(files, TAIL)
        if tail is not None:
            return cls(files, tail)
        all = settings_after(files, -1)
        if not all:
            return None
        index = cls(files, all[-1].empty())
        index._rebuild()
        return index

    @classmethod
    def create(cls, files: Files, patches: Block) -> LogIndex | None:
        """Make a folder a managed log of the given patches; None if it is one already."""
        begin, prev, count = patches.first, patches.prev, len(patches.entries)
        settings = Settings(0, begin, prev, "", count, datetime.now(timezone.utc))
        if not create_settings(files, settings):
            return None
        index = cls(files, settings.empty())
        index._replace(settings, patches.entries)
        return index

    @property
    def begin(self) -> Position:
        """The position of the first patch, 0 unless older ones have expired."""
        return Position(self._tail.begin)

    @property
    def generation(self) -> int:
        """The number of the settings that are known."""
        return self._tail.generation

    @property
    def settings(self) -> Settings:
        """The settings that are known; they are read if the tail only has their number."""
        if self._settings is None or self._settings.generation != self.generation:
            self._settings = read_settings(self._files, self.generation)
        return self._settings

    @property
    def packs(self) -> tuple[Pack, ...]:
        """The packs of the log, in order."""
        # The first settings of a log have none.
        return self.settings.packs if self.generation else ()

    @property
    def next(self) -> Position:
        """The position of the next patch."""
        return Position(self._tail.next)

    @property
    def head(self) -> str | None:
        """The id of the last patch; None if the log is empty."""
        return self._tail.head

    def look(self) -> None:
        """Find the patches that others appended since the last look.

        Raises:
            LogError: a file with the name of the next patch does not follow the last one.
            MalformedInputError: it is malformed.
        """
        self.look_at_settings()
        if not self._files.has(file_of(self.next)):
            return
        self._read_tail()
        while self._files.has(file_of(self.next)):
            try:
                self._add(self._read_next())
            except FileNotFoundError:
                # It has expired meanwhile.
                self.look_at_settings()

    def look_at_settings(self) -> None:
        """Find where the log begins now, and which packs it has."""
        least: int = self.begin
        for each in settings_after(self._files, self.generation):
            self._tail = self._tail._replace(generation=each.generation, begin=each.begin)
            self._settings = each
            least = max(least, each.begin, *(pack.end for pack in each.packs))
        # The tail is so old that the files of the patches after it may be gone.
        if self.next < least:
            self._read_tail()
        if self.next < least:
            self._rebuild()

    def _read_tail(self) -> bool:
        """Read the tail again; return whether it has more than is known, or has been moved."""
        found = _read_block(self._files, TAIL)
        if found is None or (found.next <= self.next and found.first <= self._tail.first):
            return False
        if found.next <= self.next:
            # It has been written before the last patches that are known.
            found = self._tail.parts(found.first)[1]
        newest = max(found, self._tail, key=lambda block: block.generation)
        self._tail = found._replace(generation=newest.generation, begin=newest.begin)
        return True

    def _read_next(self) -> Entry:
        name = file_of(self.next)
        entry = one_patch(self._files, name, self._files.info(name))
        if entry is None or entry.prev != self.head:
            raise self.taken()
        return entry._replace(position=self.next)

    def expire(self, begin: int) -> bool:
        """Make a position that of the first patch; return False if it is too late for that.

        The index keeps the entries of the patches that expire, and their files stay.
        """

        def expired(last: Settings) -> Settings | None:
            if begin <= last.begin:
                return None
            before = Position(begin - 1)
            prev, chain = self.id_at(before), self.chain_at(before)
            kept = packs.after(last.packs, begin)
            return last._replace(begin=begin, prev=prev, chain=chain, packs=kept)

        if not self.change_settings(expired):
            return False
        LOGGER.info("%s: the patches before position %d have expired", self._files.url, begin)
        return True

    def change_settings(self, change: Callable[[Settings], Settings | None]) -> bool:
        """Make the next generation of the settings, and write the tail, which names it.

        Args:
            change: returns the settings to write, given the last ones; None to leave them as they
                are. It is called again if another program makes the next generation.

        Returns:
            False if `change` returned None.
        """
        changed: Settings | None = None
        while True:
            all = all_settings(self._files)
            if changed in all:
                # It was created, but an object store that was asked twice said that it was there.
                break
            changed = change(all[-1])
            if changed is None:
                return False
            now = datetime.now(timezone.utc)
            changed = changed._replace(generation=all[-1].generation + 1, time=now)
            if create_settings(self._files, changed):
                break
        self.look_at_settings()
        self._is_new = True
        self.save()
        return True

    def view(self) -> LogView:
        """Return the patches that are known now. Segments are read when they are needed."""
        return _IndexedView(self)

    def entry(self, position: Position) -> Entry:
        """Return the entry of the patch at a position in the log."""
        return self._block_of(position).entry(position)

    def located(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return entries with the packs that have their patches."""
        known = self.packs
        if not known:
            return [*entries]
        return [entry._replace(pack=packs.find(known, entry.position)) for entry in entries]

    def entries(self, positions: range) -> list[Entry]:
        """Return the entries of consecutive patches."""
        found = [block.entries for block in self.blocks(positions.start, positions.stop)]
        return [entry for some in reversed(found) for entry in some]

    def expired(self) -> list[Entry]:
        """Return what is still known of patches that have expired."""
        found: dict[int, Entry] = {}
        for positions in segments(0, self._tail.first):
            if positions.start >= self.begin:
                break
            found.update(_by_position(_read_block(self._files, segment_file(positions))))
        found.update(_by_position(self._tail))
        return [entry for position, entry in found.items() if position < self.begin]

    def segment_files(self) -> set[str]:
        """Return the names of the files of all segments."""
        return {*map(segment_file, segments(self.begin, self._tail.first))}

    def chain_at(self, position: Position) -> str:
        """Return the digest of all patches up to a position; see `block.chain_digest`.

        Args:
            position: the position; one less than the first one for the patches before it.
        """
        block = self._block_after(position)
        return block.chain if position < block.first else block.chain_at(position)

    def id_at(self, position: Position) -> str | None:
        """Return the id of the patch at a position, which may be the one before the first."""
        block = self._block_after(position)
        return block.prev if position < block.first else block.entry(position).id

    def _block_after(self, position: int) -> Block:
        """Return a block that has the patch at a position, or begins with the one after it."""
        return (
            self._tail
            if self.next <= self.begin
            else self._block_of(min(position + 1, self.next - 1))
        )

    def blocks(self, begin: int, end: int) -> Iterator[Block]:
        """Yield consecutive patches, which have not expired, in blocks, the last block first."""
        while end > begin:
            block = self._block_of(end - 1)
            found = block.parts(end)[0]
            yield found if found.first >= begin else found.parts(begin)[1]
            end = block.first

    def _block_of(self, position: int) -> Block:
        """Return the block with the entry of a position.

        Raises:
            LogError: its patch has expired since.
        """
        while isinstance(part := self._part_of(position), Segment):
            block = part.block(position)
            if block is not None:
                return block
            self._rebuild()
        return part

    def _part_of(self, position: int) -> Segment | Block:
        """Return the segment with the entry of a position, or the tail.

        Raises:
            LogError: its patch has expired since.
        """
        while position < self._tail.first:
            positions = next(segments(position, self._tail.first))
            segment = self._segments.get(positions) or self._read_segment(positions)
            if segment is not None and position < segment.first:
                raise LogError(
                    f"the patch at position {position} has expired: the log begins at position "
                    f"{max(segment.first, self.begin)}"
                )
            if segment is not None:
                return segment
            # It has been merged with others since the tail was read, unless it is lost.
            if not self._read_tail():
                self._rebuild()
        return self._tail

    def _read_segment(self, positions: range) -> Segment | None:
        name = segment_file(positions)
        try:
            segment = Segment.load(self._files.read(name), self._files.path(name))
        except (FileNotFoundError, NotADirectoryError):
            return None
        first = max(positions.start, self.begin)
        if segment is None or not positions.start <= segment.first <= first:
            return None
        if segment.next != positions.stop:
            return None
        self._segments[positions] = segment
        return segment

    def find(self, id: str | None, positions: range) -> Position | None:
        """Return the position of the last one of consecutive patches with an id, if any."""
        end = positions.stop
        while end > positions.start:
            part = self._part_of(end - 1)
            found = part.find(id, end)
            if found is not None:
                return found if found in positions else None
            end = part.first
        return None

    def find_recent(self, id: str) -> Entry | None:
        """Return the last patch with an id, if it is one of those in the tail."""
        found = self._tail.find(id, self._tail.next)
        return None if found is None else self._tail.entry(found)

    def taken(self) -> LogError:
        """Return the error for something else that has the name of the next patch."""
        return LogError(
            f"{file_of(self.next)} is the name of the patch after {self.head}, but it is not a "
            "patch of the log: rename it"
        )

    def create_next(self, source: Path, patch: Entry, time: datetime | None = None) -> Entry | None:
        """Create the next patch from a temporary file; None if its name is taken.

        Args:
            source: the temporary file.
            patch: what is known about its patch.
            time: the time of the patch; by default, now. Its file gets the time, too: readers take
                it from there if the index lacks the patch.
        """
        name = file_of(self.next)
        if not self._files.create(name, source, time):
            return None
        self.look_at_settings()
        if self.next < self.begin or number_of(name) != self.next:
            # The name was free because the patch that had it has expired.
            self._files.remove(name)
            return None
        time = time or datetime.now(timezone.utc)
        entry = patch._replace(time=time, file=name, patch=0, position=self.next)
        self._add(entry)
        LOGGER.debug("%s: appended %s as %s, %d bytes", self._files.url, entry.id, name, entry.size)
        return entry

    def _add(self, entry: Entry) -> None:
        self._tail.entries.append(entry)
        self._is_new = True

    def has_full_block(self) -> bool:
        """Return whether there are entries for a new segment."""
        return self.next // BLOCK > self._tail.first // BLOCK

    def save(self) -> None:
        """Write the new entries: complete blocks as segments, and the tail.

        If this is not possible, there is a `RuntimeWarning`, because the patches are stored.
        """
        with self.lock:
            if not self._is_new:
                return
            try:
                merged: list[str] = []
                while self.has_full_block():
                    merged += self._save_block()
                self._files.replace(TAIL, dump(self._tail))
                # Whoever reads an older tail finds that these are missing, and reads it again.
                for name in merged:
                    self._files.remove(name)
                self._is_new = False
            except OSError as error:
                _warn(self._files, error)

    def _save_block(self) -> list[str]:
        """Move a block from the tail to a segment; return the files of those merged into it."""
        stop = (self._tail.first // BLOCK + 1) * BLOCK
        block, rest = self._tail.parts(stop)
        before = segments(self.begin, self._tail.first)
        *_, positions = segments(self.begin, stop)
        merged = [segment_file(each) for each in before if each.start >= positions.start]
        name = segment_file(positions)
        if not self._files.has(name):
            try:
                data = [*map(self._files.read, merged), dump(block)]
            except FileNotFoundError:
                # Others have merged them, unless they are lost.
                if not self._files.has(name):
                    self._rebuild()
                    return []
            else:
                self._files.replace(name, b"".join(data))
                self._files.counters.add(segments_written=1, segments_merged=len(merged))
                LOGGER.debug("%s: wrote the segment %s", self._files.url, name)
        self._tail = rest
        return merged

    def _rebuild(self) -> None:
        """Make the index again, from what is left of it and from the patches that it lacks.

        Raises:
            LogError: patches are missing, or do not follow each other.
        """
        known: dict[int, Entry] = {}
        all = all_settings(self._files)
        of_packs = (packs.entries_file(pack.file) for pack in all[-1].packs)
        for name in (*of_packs, *sorted(self._files.list(SEGMENTS)), TAIL):
            known.update(_by_position(_read_block(self._files, name)))
        entries = self._adopted(known, all[-1], all[0].begin + all[0].adopted)
        entries += self._appended(known, all[-1], entries)
        # A log that is just being created has no patches.
        if entries:
            self._files.counters.add(rebuilds=1)
            LOGGER.warning("%s: the index was lost or damaged, and is built again", self._files.url)
        self._replace(all[-1], entries)

    def _adopted(self, known: dict[int, Entry], settings: Settings, end: int) -> list[Entry]:
        """Return the entries of adopted patches, which may have any file names."""
        positions = range(settings.begin, end)
        if all(position in known for position in positions):
            return [known[position] for position in positions]

        def is_wanted(name: str) -> bool:
            number = number_of(name)
            return number is None or number < end

        # A file that is read again has all its patches; some of those that are known may be lost.
        packed = [known[p] for p in positions if p in known and packs.find(settings.packs, p)]
        entries = FolderScan(self._files).entries(is_wanted, packed)
        # A file may also have patches that have expired.
        if settings.prev is not None:
            expired = block_of(entries).find(settings.prev, len(entries))
            entries = entries if expired is None else entries[expired + 1 :]
        if len(entries) != len(positions):
            raise LogError(
                f"{self._files.url} has {len(entries)} of the {len(positions)} patches that were "
                "adopted: restore the others from a backup"
            )
        return entries

    def _appended(
        self, known: dict[int, Entry], settings: Settings, adopted: Sequence[Entry]
    ) -> Iterator[Entry]:
        """Yield the entries of the patches after the adopted ones, in the order of their names."""
        position = settings.begin + len(adopted)
        prev = adopted[-1].id if adopted else settings.prev
        listed = self._files.list()
        numbers = sorted(number for number in map(number_of, listed) if number is not None)
        packed = (range(max(position, pack.first), pack.end) for pack in settings.packs)
        for number in merge(numbers, *packed):
            if number < position:
                continue
            name = file_of(position)
            if number != position or not (position in known or name in listed):
                pack = packs.find(settings.packs, position)
                name = name if pack is None else packs.entries_file(pack.file)
                raise LogError(f"{name} is missing or damaged: restore it from a backup")
            entry = known.get(position) or one_patch(self._files, name, listed[name])
            # The first patch of a log may follow one that is not in it.
            if entry is None or (entry.prev != prev and position > 0):
                raise LogError(f"{name} is not the patch after {prev}: restore it from a backup")
            yield entry
            position, prev = position + 1, entry.id

    def _replace(self, settings: Settings, entries: Sequence[Entry]) -> None:
        """Make this the index of the given patches, and write it."""
        self._settings = settings
        placed = block_of(entries, settings.begin).entries
        tail, found = settings.empty()._replace(entries=placed), {}
        for positions in segments(tail.begin, tail.next):
            block, tail = tail.parts(positions.stop)
            found[positions] = dump_segment(block, BLOCK)
        self._tail = tail
        # They are needed even if they cannot be written.
        self._segments = {
            positions: Segment(decompress(data), segment_file(positions))
            for positions, data in found.items()
        }
        try:
            for positions, data in found.items():
                self._files.replace(segment_file(positions), data)
            self._files.replace(TAIL, dump(tail))
        except OSError as error:
            _warn(self._files, error)


class _IndexedView(LogView):
    """Patches that are read from the index when they are needed."""

    is_managed = True

    def __init__(self, index: LogIndex) -> None:
        count = index.next - index.begin
        super().__init__(index.begin, count, index.head if count else None)
        self._index = index

    def entry(self, position: Position) -> Entry:
        """Return the patch at a position."""
        return self._index.located([self._index.entry(position)])[0]

    def entries(self, after: Position, to: Position) -> list[Entry]:
        """Return the patches that lead from one position to another."""
        return self._index.located(self._index.entries(range(after + 1, to + 1)))

    def located_now(self, patches: Sequence[Entry]) -> Sequence[Entry]:
        """Return patches with the files that have them now; see `LogView.located_now`."""
        self._index.look_at_settings()
        if patches[0].position < self._index.begin:
            raise LogError(
                f"{patches[0].id} has expired: the log begins at position {self._index.begin}"
            )
        return self._index.located(patches)

    def find(self, id: str) -> Position | None:
        """Return the position of the last patch with an id; None if there is none."""
        return self._index.find(id, range(self.begin, self.last + 1))

    def at_time(self, time: datetime) -> Position:
        """Return the position of the last patch appended up to a time; `start` if there is none."""
        for block in self._index.blocks(self.begin, self.last + 1):
            for entry in reversed(block.entries):
                assert entry.time is not None
                if entry.time <= time:
                    return entry.position
        return self.start


def one_patch(files: Files, name: str, info: FileInfo) -> Entry | None:
    """Read the file of an appended patch; return None if it has not one patch with an id.

    Raises:
        MalformedInputError: the file is malformed.
    """
    found = read_file(files, name, info)
    return found[0] if len(found) == 1 and found[0].id is not None else None


def _read_block(files: Files, name: str) -> Block | None:
    try:
        return load(files.read(name), files.path(name))
    except (FileNotFoundError, NotADirectoryError):
        return None


def _by_position(block: Block | None) -> dict[int, Entry]:
    return {} if block is None else {entry.position: entry for entry in block.entries}


def _warn(files: Files, error: OSError) -> None:
    warnings.warn(
        f"{files.path(OWN)} cannot be written to ({error}). The log works without an index there, "
        "but each program reads all new patches again",
        RuntimeWarning,
        stacklevel=3,
    )
