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

from collections.abc import Iterator
from threading import RLock

from jelly_spark.errors import LogError
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.files import Files
from jelly_spark.log.entries.packs import Pack
from jelly_spark.log.index.block import Block, decompress, dump, dump_segment, file_of
from jelly_spark.log.index.index_files import (
    BLOCK,
    TAIL,
    read_block,
    segment_file,
    segments,
    warn_unwritable,
)
from jelly_spark.log.index.lost_index import LostIndex, one_patch
from jelly_spark.log.index.segment import Segment
from jelly_spark.log.index.settings import (
    Settings,
    read_settings,
    settings_after,
    settings_file,
)


class LogIndex:
    """The index of a managed log.

    Args:
        files: the files of the log's folder.
        tail: the entries after the last segment.

    Attributes:
        files: the files of the log's folder.
        tail: the entries after the last segment.
        is_new: whether the tail has entries that its file may lack.
        lock: held by a thread that appends, or looks for new patches.
    """

    def __init__(self, files: Files, tail: Block) -> None:
        self.files = files
        self.tail = tail
        # Segments that were read, by the positions that they cover.
        self._segments: dict[range, Segment] = {}
        # The last settings that were read.
        self._settings: Settings | None = None
        self.is_new = False
        self.lock = RLock()

    @classmethod
    def open(cls, files: Files) -> LogIndex | None:
        """Return the index of a managed log; None if the folder is not one.

        Raises:
            LogError: the log has a newer version than this release.
        """
        tail = read_block(files, TAIL)
        if tail is not None:
            return cls(files, tail)
        if not files.has(settings_file(0)):
            return None
        lost = LostIndex(files)
        index = cls(files, lost.settings.empty())
        index.replace(lost.settings, lost.block())
        return index

    @property
    def begin(self) -> Position:
        """The position of the first patch, 0 unless older ones have expired."""
        return self.tail.begin

    @property
    def packs(self) -> tuple[Pack, ...]:
        """The packs of the log, in order."""
        # The first settings of a log have none. The tail only has the number of later ones.
        generation = self.tail.generation
        if generation == 0:
            return ()
        if self._settings is None or self._settings.generation != generation:
            self._settings = read_settings(self.files, generation)
        return self._settings.packs

    @property
    def next(self) -> Position:
        """The position of the next patch."""
        return self.tail.next

    @property
    def head(self) -> str | None:
        """The id of the last patch; None if the log is empty."""
        return self.tail.head

    def look(self) -> None:
        """Find the patches that others appended since the last look.

        Raises:
            LogError: a file with the name of the next patch does not follow the last one.
            MalformedInputError: it is malformed.
        """
        self.look_at_settings()
        if not self.files.has(file_of(self.next)):
            return
        self._read_tail()
        while self.files.has(file_of(self.next)):
            try:
                self.add(self._read_next())
            except FileNotFoundError:
                # It has expired meanwhile.
                self.look_at_settings()

    def look_at_settings(self) -> None:
        """Find where the log begins now, and which packs it has."""
        least: int = self.begin
        for each in settings_after(self.files, self.tail.generation):
            self.tail = self.tail._replace(generation=each.generation, begin=each.begin)
            self._settings = each
            least = max(least, each.begin, *(pack.end for pack in each.packs))
        # The tail is so old that the files of the patches after it may be gone.
        if self.next < least:
            self._read_tail()
        if self.next < least:
            self._rebuild()

    def _read_tail(self) -> bool:
        """Read the tail again; return whether it has more than is known, or has been moved."""
        found = read_block(self.files, TAIL)
        if found is None or (found.next <= self.next and found.first <= self.tail.first):
            return False
        if found.next <= self.next:
            # It has been written before the last patches that are known.
            found = self.tail.parts(found.first)[1]
        newest = max(found, self.tail, key=lambda block: block.generation)
        self.tail = found._replace(generation=newest.generation, begin=newest.begin)
        return True

    def _read_next(self) -> Entry:
        name = file_of(self.next)
        entry = one_patch(self.files, name, self.files.info(name))
        if entry is None or entry.prev != self.head:
            raise self.taken()
        return entry._replace(position=self.next)

    def entry(self, position: Position) -> Entry:
        """Return the entry of the patch at a position in the log."""
        return self._block_of(position).entry(position)

    def entries(self, positions: range) -> list[Entry]:
        """Return the entries of consecutive patches."""
        found = [block.entries for block in self.blocks(positions.start, positions.stop)]
        return [entry for some in reversed(found) for entry in some]

    def expired(self) -> list[Entry]:
        """Return what is still known of patches that have expired."""
        found: dict[int, Entry] = {}
        for positions in segments(0, self.tail.first):
            if positions.start >= self.begin:
                break
            if block := read_block(self.files, segment_file(positions)):
                found.update(block.by_position())
        found.update(self.tail.by_position())
        return [entry for position, entry in found.items() if position < self.begin]

    def segment_files(self) -> set[str]:
        """Return the names of the files of all segments."""
        return {*map(segment_file, segments(self.begin, self.tail.first))}

    def end_at(self, position: Position) -> tuple[str | None, str]:
        """Return the id of a patch, and the digest of all patches up to it.

        Args:
            position: its position; one less than the first one for the patches before it.
        """
        # A block that has the patch, or begins with the one after it.
        is_empty = self.next <= self.begin
        block = self.tail if is_empty else self._block_of(min(position + 1, self.next - 1))
        after = block.parts(position + 1)[1]
        return after.prev, after.chain

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
            self.refresh()
        return part

    def _part_of(self, position: int) -> Segment | Block:
        """Return the segment with the entry of a position, or the tail.

        Raises:
            LogError: its patch has expired since.
        """
        while position < self.tail.first:
            positions = next(segments(position, self.tail.first))
            segment = self._segments.get(positions) or self._read_segment(positions)
            if segment is not None and position < segment.first:
                raise LogError(
                    f"the patch at position {position} has expired: the log begins at position "
                    f"{max(segment.first, self.begin)}"
                )
            if segment is not None:
                return segment
            self.refresh()
        return self.tail

    def _read_segment(self, positions: range) -> Segment | None:
        name = segment_file(positions)
        try:
            segment = Segment.load(self.files.read(name), self.files.path(name))
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
        found = self.tail.find(id, self.tail.next)
        return None if found is None else self.tail.entry(found)

    def taken(self) -> LogError:
        """Return the error for something else that has the name of the next patch."""
        return LogError(
            f"{file_of(self.next)} is the name of the patch after {self.head}, but it is not a "
            "patch of the log: rename it"
        )

    def add(self, entry: Entry) -> None:
        """Add the entry of the next patch to the tail."""
        self.tail.entries.append(entry)
        self.is_new = True

    def refresh(self) -> None:
        """Find segments that are missing or damaged where they are now, or build them again.

        Raises:
            LogError: as in `LostIndex.block`.
        """
        # They have been merged with others since the tail was read, unless they are lost.
        if not self._read_tail():
            self._rebuild()

    def _rebuild(self) -> None:
        lost = LostIndex(self.files)
        self.replace(lost.settings, lost.block())

    def replace(self, settings: Settings, patches: Block) -> None:
        """Make this the index of all patches of a log, and write it.

        If this is not possible, there is a `RuntimeWarning`.
        """
        found: dict[range, bytes] = {}
        for positions in segments(patches.begin, patches.next):
            block, patches = patches.parts(positions.stop)
            found[positions] = dump_segment(block, BLOCK)
        # They are needed even if they cannot be written.
        self._settings, self.tail = settings, patches
        self._segments = {
            positions: Segment(decompress(data), segment_file(positions))
            for positions, data in found.items()
        }
        try:
            for positions, data in found.items():
                self.files.replace(segment_file(positions), data)
            self.files.replace(TAIL, dump(patches))
        except OSError as error:
            warn_unwritable(self.files, error)
