"""Writing the index of a managed log: new patches, segments, the tail and the settings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from jelly_spark.log.entries import packs
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.files import LOGGER, Files
from jelly_spark.log.index.block import Block, dump, file_of, number_of
from jelly_spark.log.index.index_files import (
    BLOCK,
    TAIL,
    segment_file,
    segments,
    warn_unwritable,
)
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.settings import Settings, all_settings, create_settings


def create(files: Files, patches: Block) -> LogIndex | None:
    """Make a folder a managed log of the given patches; None if it is one already."""
    now = datetime.now(timezone.utc)
    settings = Settings(0, patches.first, patches.prev, "", len(patches.entries), now)
    if not create_settings(files, settings):
        return None
    index = LogIndex(files, patches)
    index.replace(settings, patches)
    return index


class IndexWriter:
    """Writes the index of a managed log.

    Args:
        index: the index.
    """

    def __init__(self, index: LogIndex) -> None:
        self._index, self._files = index, index.files

    def expire(self, begin: Position) -> None:
        """Make a position that of the first patch, unless a later one is.

        The index keeps the entries of the patches that expire, and their files stay.
        """

        def expired(last: Settings) -> Settings | None:
            if begin <= last.begin:
                return None
            prev, chain = self._index.end_at(Position(begin - 1))
            kept = packs.after(last.packs, begin)
            return last._replace(begin=begin, prev=prev, chain=chain, packs=kept)

        if self.change_settings(expired):
            LOGGER.info("%s: the patches before position %d have expired", self._files.url, begin)

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
        self._index.look_at_settings()
        self._index.is_new = True
        self.save()
        return True

    def create_next(self, source: Path, patch: Entry, time: datetime | None = None) -> Entry | None:
        """Create the next patch from a temporary file; None if its name is taken.

        Args:
            source: the temporary file.
            patch: what is known about its patch.
            time: the time of the patch; by default, now. Its file gets the time, too: readers take
                it from there if the index lacks the patch.
        """
        index, name = self._index, file_of(self._index.next)
        if not self._files.create(name, source, time):
            return None
        index.look_at_settings()
        if index.next < index.begin or number_of(name) != index.next:
            # The name was free because the patch that had it has expired.
            self._files.remove(name)
            return None
        time = time or datetime.now(timezone.utc)
        entry = patch._replace(time=time, file=name, patch=0, position=index.next)
        index.add(entry)
        LOGGER.debug("%s: appended %s as %s, %d bytes", self._files.url, entry.id, name, entry.size)
        return entry

    def has_full_block(self) -> bool:
        """Return whether there are entries for a new segment."""
        return self._index.next // BLOCK > self._index.tail.first // BLOCK

    def save(self) -> None:
        """Write the new entries: complete blocks as segments, and the tail.

        If this is not possible, there is a `RuntimeWarning`, because the patches are stored.
        """
        with self._index.lock:
            if not self._index.is_new:
                return
            try:
                merged: list[str] = []
                while self.has_full_block():
                    merged += self._save_block()
                self._files.replace(TAIL, dump(self._index.tail))
                # Whoever reads an older tail finds that these are missing, and reads it again.
                for name in merged:
                    self._files.remove(name)
                self._index.is_new = False
            except OSError as error:
                warn_unwritable(self._files, error)

    def _save_block(self) -> list[str]:
        """Move a block from the tail to a segment; return the files of those merged into it."""
        index = self._index
        stop = (index.tail.first // BLOCK + 1) * BLOCK
        block, rest = index.tail.parts(stop)
        before = segments(index.begin, index.tail.first)
        *_, positions = segments(index.begin, stop)
        merged = [segment_file(each) for each in before if each.start >= positions.start]
        name = segment_file(positions)
        if not self._files.has(name):
            try:
                data = [*map(self._files.read, merged), dump(block)]
            except FileNotFoundError:
                # Others have merged them, unless they are lost.
                if not self._files.has(name):
                    index.refresh()
                    return []
            else:
                self._files.replace(name, b"".join(data))
                self._files.counters.add(segments_written=1, segments_merged=len(merged))
                LOGGER.debug("%s: wrote the segment %s", self._files.url, name)
        index.tail = rest
        return merged
