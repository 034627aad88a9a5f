"""The index of a managed log that was lost or damaged, put together again."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge

from jelly_spark.core.files.local import FileInfo
from jelly_spark.errors import LogError
from jelly_spark.log.entries import packs
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.files import LOGGER, Files
from jelly_spark.log.entries.scanned import FolderScan, read_file
from jelly_spark.log.index.block import Block, block_of, file_of, number_of
from jelly_spark.log.index.index_files import SEGMENTS, TAIL, read_block
from jelly_spark.log.index.settings import all_settings


class LostIndex:
    """Puts an index together from what is left of it, and from the patches that it lacks.

    Args:
        files: the files of the log.

    Attributes:
        settings: the last settings of the log.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        first, *others = all_settings(files)
        self.settings = others[-1] if others else first
        self._adopted_end = first.begin + first.adopted
        # What is left. Later files are newer.
        self._known: dict[int, Entry] = {}
        of_packs = (packs.entries_file(pack.file) for pack in self.settings.packs)
        for name in (*of_packs, *sorted(files.list(SEGMENTS)), TAIL):
            if block := read_block(files, name):
                self._known.update(block.by_position())

    def block(self) -> Block:
        """Return the block of all patches of the log.

        Raises:
            LogError: patches are missing, or do not follow each other.
        """
        settings, adopted = self.settings, self._adopted()
        entries = [*adopted, *self._appended(adopted)]
        # A log that is just being created has no patches.
        if entries:
            self._files.counters.add(rebuilds=1)
            LOGGER.warning("%s: the index was lost or damaged, and is built again", self._files.url)
        return settings.empty()._replace(entries=block_of(entries, settings.begin).entries)

    def _adopted(self) -> list[Entry]:
        """Return the entries of adopted patches, which may have any file names."""
        known, settings, end = self._known, self.settings, self._adopted_end
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

    def _appended(self, adopted: list[Entry]) -> Iterator[Entry]:
        """Yield the entries of the patches after the adopted ones, in the order of their names."""
        known, settings = self._known, self.settings
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


def one_patch(files: Files, name: str, info: FileInfo) -> Entry | None:
    """Read the file of an appended patch; return None if it has not one patch with an id.

    Raises:
        MalformedInputError: the file is malformed.
    """
    found = read_file(files, name, info)
    return found[0] if len(found) == 1 and found[0].id is not None else None
