"""Packing the patches of a managed log into fewer and larger files; see `packs`.

A pack is proved before the log uses it: its rows are read back, and compared with those of the
files that it was made from, which must have the SHA-256 that the index has for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import chain, count, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions
from jelly_spark.core.files.compression import COMPRESSIONS, Compression, compression_of
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.entries import packs
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.files import LOGGER, Files, HashedStream
from jelly_spark.log.entries.packs import Pack
from jelly_spark.log.entries.patch_files import FORMAT, passes, plain_size, read_rows
from jelly_spark.log.index.block import EXTENSION, Block, dump
from jelly_spark.log.index.index_writer import IndexWriter
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.settings import Settings
from jelly_spark.patches.log_rows import Headers

_RESTART_INTERVAL = 1 << 20
"""The bytes between restart points of a pack, so what is read to find one patch or subject."""


class _Source(NamedTuple):
    """A file that is packed: patches that one pass over it can read.

    Attributes:
        patches: the patches, consecutive ones.
        size: the approximate uncompressed size of the file, in bytes.
        sha256: the SHA-256 of the file, in hex.
    """

    patches: list[Entry]
    size: int
    sha256: str


def positions_of(sources: Sequence[_Source]) -> range:
    """Return the positions of the patches of consecutive files."""
    return range(sources[0].patches[0].position, sources[-1].patches[-1].position + 1)


class Optimizer:
    """Packs the patches of a managed log.

    Args:
        files: the files of the log.
        index: the index of the log, which has just looked.
        target_size: the size of a pack, in bytes, which its sources together do not exceed, if
            they are not compressed.
        index_columns: the columns whose terms can be looked up in a pack, as in `JellyOptions`.
        compression: the name of the compression of packs; None for none.

    Raises:
        OptionError: an option is out of range.
    """

    def __init__(
        self,
        files: Files,
        index: LogIndex,
        target_size: int,
        index_columns: str,
        compression: str | None,
    ) -> None:
        self._files = files
        self._index = index
        self._target_size = target_size
        self._options = JellyPatchOptions(
            restart_interval=_RESTART_INTERVAL, index_columns=index_columns
        )
        self._compression = _find_compression(compression)
        self._before = index.packs
        # Patches whose pack is missing are packed again from their original files.
        there = files.list(packs.FOLDER)
        self._packs = [pack for pack in self._before if pack.file in there]

    def plan(self) -> list[list[_Source]]:
        """Return the files to pack together: consecutive ones, at least two for each pack."""
        runs: list[list[_Source]] = [[]]
        size = 0
        for source in self._sources():
            if source is None or size + source.size > self._target_size:
                runs.append([])
                size = 0
            if source is not None:
                runs[-1].append(source)
                size += source.size
        return [run for run in runs if len(run) > 1 or self._is_lost(run)]

    def _is_lost(self, run: Sequence[_Source]) -> bool:
        """Return whether files are to be packed alone, because their pack is missing."""
        if not run:
            return False
        first = run[0].patches[0]
        return packs.find(self._before, first.position) is not None and first.pack is None

    def _sources(self) -> Iterator[_Source | None]:
        """Yield the files that can be packed, in order; None for a pack that stays as it is."""
        position: int = self._index.begin
        for pack in self._packs:
            yield from self._originals(range(position, pack.first))
            # The log may begin inside a pack.
            position = max(position, pack.first)
            size = plain_size(pack.file, pack.size)
            if size < self._target_size // 2:
                entries = self._index.entries(range(position, pack.end))
                yield _Source([entry._replace(pack=pack) for entry in entries], size, pack.sha256)
            else:
                yield None
            position = pack.end
        yield from self._originals(range(position, self._index.next))

    def _originals(self, positions: range) -> Iterator[_Source]:
        for patches in passes(self._index.entries(positions)):
            first = patches[0]
            yield _Source(patches, plain_size(first.file, first.size), first.sha256)

    def run(self, plan: Sequence[Sequence[_Source]]) -> list[range]:
        """Make the packs, and publish them.

        Returns:
            The positions of the patches in each; empty if another program has changed the packs.

        Raises:
            LogError: a file is missing, or has changed since it was appended.
        """
        self._restore_entries()
        made: list[Pack] = []
        try:
            for sources in plan:
                made.append(self._pack(sources))
        except BaseException:
            self._remove(made)
            raise
        # If this fails, the log may use the packs nevertheless. If not, `vacuum` removes them.
        writer = IndexWriter(self._index)
        if made and not writer.change_settings(lambda last: self._with(made, last)):
            self._remove(made)
            LOGGER.info("%s: another program has packed patches meanwhile", self._files.url)
            return []
        LOGGER.info("%s: made %d packs", self._files.url, len(made))
        return [pack.positions for pack in made]

    def _restore_entries(self) -> None:
        """Write the entries of packs that have lost them."""
        there = self._files.list(packs.FOLDER)
        for pack in self._packs:
            name = packs.entries_file(pack.file)
            if name not in there:
                positions = range(max(pack.first, self._index.begin), pack.end)
                self._files.replace(name, dump(self._block(positions)))

    def _remove(self, made: Iterable[Pack]) -> None:
        for pack in made:
            self._files.remove(pack.file)
            self._files.remove(packs.entries_file(pack.file))

    def _with(self, made: Sequence[Pack], last: Settings) -> Settings | None:
        """Return settings with new packs in place of those that have some of the same patches."""
        if packs.after(self._before, last.begin) != last.packs:
            return None
        kept = [pack for pack in last.packs if not any(map(pack.overlaps, made))]
        return last._replace(packs=packs.after(sorted([*kept, *made]), last.begin))

    def _pack(self, sources: Sequence[_Source]) -> Pack:
        """Make a pack.

        Raises:
            LogError: a source is missing, or has changed; or the pack has other rows.
        """
        positions = positions_of(sources)
        extension = "" if self._compression is None else self._compression.extension
        name = packs.new_file(positions, EXTENSION + extension)
        with self._files.temporary(name) as path:
            written = self._write(path, sources)
            if self._read(path, len(positions)) != written:
                raise LogError(
                    f"patches {positions.start} to {positions.stop - 1} cannot be packed: the rows "
                    "that were written are not those of their files. Please report this"
                )
            size, digest = path.stat().st_size, _sha256_of(path)
            self._files.replace(packs.entries_file(name), dump(self._block(positions)))
            self._files.create(name, path)
        return Pack(positions.start, positions.stop, name, size, digest)

    def _block(self, positions: range) -> Block:
        index = self._index
        head = (index.tail.generation, index.begin, Position(positions.start))
        before = index.end_at(Position(positions.start - 1))
        return Block(*head, *before, index.entries(positions))

    def _write(self, path: Path, sources: Sequence[_Source]) -> str:
        """Write a pack to a local file, and return the digest of its rows."""
        content = _RowDigest()
        rows = chain.from_iterable(map(self._rows, sources))
        with ExitStack() as stack:
            file: Any = stack.enter_context(open(path, "wb"))
            if self._compression is not None:
                file = stack.enter_context(closing(self._compression.compress(file)))
            codec.write(file, content.numbered(rows), format=FORMAT, options=self._options)
        return content.digest()

    def _read(self, path: Path, count: int) -> str:
        """Return the digest of the rows of a pack in a local file, read from its restart points."""
        content = _RowDigest()
        with open(path, "rb") as file:
            source = file if self._compression is None else self._compression.decompress(file)
            for row in codec.read_jelly_patch(source, where={"patch": range(count)}):
                if row.op != "END":
                    assert row.patch is not None
                    content.add(row.patch, row)
        return content.digest()

    def _rows(self, source: _Source) -> Iterator[tuple[int, PatchRow]]:
        """Yield the rows of the patches in a source, each with the position of its patch.

        Raises:
            LogError: the file is missing, has changed, or lacks a patch.
        """
        name = source.patches[0].source
        wanted = {each.ordinal: each for each in source.patches}
        found = dict.fromkeys(wanted, Headers())
        try:
            file = self._files.open(name)
        except FileNotFoundError:
            raise LogError(f"{self._files.path(name)} is missing: see Log.verify") from None
        with file:
            stream = HashedStream(file, self._files.path(name))
            compression = compression_of(name)
            rows = stream if compression is None else compression.decompress(stream)
            for row in read_rows(rows, name):
                if row.patch in wanted:
                    if row.op == "H":
                        found[row.patch] = found[row.patch].after(row)
                    yield wanted[row.patch].position, row
            is_same = stream.digest() == source.sha256
        if not is_same or any(found[each.ordinal].id != each.id for each in source.patches):
            raise LogError(f"{name} has changed since it was appended: see Log.verify")


class _RowDigest:
    """Computes a digest of the rows of patches, without the `END` rows and the ordinals."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, patch: int, row: PatchRow) -> None:
        """Add the next row, given the ordinal of its patch."""
        self._digest.update(repr((patch, *row[:7])).encode("ascii", "backslashreplace"))

    def numbered(self, rows: Iterable[tuple[int, PatchRow]]) -> Iterator[PatchRow]:
        """Yield rows as those of one file, whose patches end with `END` rows, and add them.

        The rows are numbered as those of an unchanged file: the writer accepts transactions that
        are not closed.

        Args:
            rows: the rows, each with the position of its patch.
        """
        numbers = count()
        for patch, (_, found) in enumerate(groupby(rows, itemgetter(0))):
            for _, row in found:
                if row.op != "END":
                    self.add(patch, row)
                    yield row._replace(patch=patch, tx=None, seq=next(numbers))
            yield PatchRow("END", patch=patch, seq=next(numbers))

    def digest(self) -> str:
        """Return the digest in hex."""
        return self._digest.hexdigest()


def _sha256_of(path: Path) -> str:
    with open(path, "rb") as file:
        return HashedStream(file, str(path)).digest()


def _find_compression(name: str | None) -> Compression | None:
    if name is None:
        return None
    for compression in COMPRESSIONS:
        if compression.name == name:
            return compression
    names = ", ".join(compression.name for compression in COMPRESSIONS)
    raise OptionError(f"compression must be None or one of: {names}; not {name!r}")
