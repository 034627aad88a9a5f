"""A folder of patch files: a managed log, or a folder of other programs that is only read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

from jelly_spark.errors import LogError
from jelly_spark.log.chains import adoption
from jelly_spark.log.chains.chain import Chain
from jelly_spark.log.engines.engine import Base, FolderEngine
from jelly_spark.log.entries.entry import Entry, Position, file_sizes
from jelly_spark.log.entries.files import LOGGER, Files
from jelly_spark.log.entries.order import LogFinding, Removed, check_id, conflict
from jelly_spark.log.entries.patch_files import COMPRESSION_RATIO, format_of, plain_size
from jelly_spark.log.entries.scanned import FolderScan
from jelly_spark.log.entries.view import ListedView, LogView
from jelly_spark.log.index.block import block_of, file_of
from jelly_spark.log.index.index_writer import IndexWriter, create
from jelly_spark.log.index.indexed_view import IndexedView
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.upkeep import findings, snapshots
from jelly_spark.log.upkeep.housekeeping import is_temporary_file, removable
from jelly_spark.log.upkeep.optimizing import Optimizer, positions_of
from jelly_spark.log.upkeep.snapshots import Snapshot

_NO_PATCH = (
    "the log has snapshots, but no patch: bring back the last one that was removed, or remove the "
    "folder _log with the snapshots"
)

_SAVE_AFTER = 1.0
"""After how many seconds the index is written while many patches are appended."""


class PatchFolder(Chain):
    """A folder of patches.

    Attributes:
        files: the files of the folder.

    Args:
        files: the files of the folder.
        engine: writes and reads them.
    """

    def __init__(self, files: Files, engine: FolderEngine) -> None:
        self.files, self.counters = files, files.counters
        self._engine = engine

    def __reduce__(self) -> tuple[type[PatchFolder], tuple[Files, FolderEngine]]:
        """Pickle the folder without what is known of it, which another process reads."""
        return ScannedFolder, (self.files, self._engine)

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of the patch files, in the order of the chain as far as there is one.

        Files that cannot be read come last.
        """

    def append(
        self, patches: Iterable[Any], *, canonical: bool, time: datetime | None = None
    ) -> Iterator[Entry]:
        """Append patches, one after the other; see `Chain.append`."""
        saved, log = monotonic(), None
        try:
            for patch in patches:
                with self.files.temporary(file_of(self._next)) as path:
                    written = self._engine.write(patch, path)._replace(canonical=canonical)
                    check_id(written)
                    log = self._begun(written)
                    entry = log.append_file(path, written, time)
                if log.writer.has_full_block() or monotonic() > saved + _SAVE_AFTER:
                    log.writer.save()
                    saved = monotonic()
                yield entry
        finally:
            if log is not None:
                log.writer.save()

    @property
    @abstractmethod
    def _next(self) -> Position:
        """The position of the next patch, as far as it is known."""

    @abstractmethod
    def _begun(self, patch: Entry) -> ManagedFolder:
        """Return the managed log that a patch is to be appended to."""


class ManagedFolder(PatchFolder):
    """A managed log.

    Attributes:
        index: the index.
        writer: writes the index.

    Args:
        files: the files of the folder.
        engine: writes and reads them.
        index: the index.
    """

    def __init__(self, files: Files, engine: FolderEngine, index: LogIndex) -> None:
        super().__init__(files, engine)
        self.index, self.writer = index, IndexWriter(index)
        # The patch that was committed last, and the state after it, until it is used.
        self._kept: tuple[Entry, Base] | None = None

    def view(self) -> LogView:
        """Return the patches in the order of their chain."""
        with self.index.lock:
            self.index.look()
            return IndexedView(self.index)

    def names(self) -> list[str]:
        """Return the names of the patch files, in the order of the chain."""
        return [*dict.fromkeys(entry.source for entry in self.view().all())]

    @property
    def _next(self) -> Position:
        return self.index.next

    def _begun(self, patch: Entry) -> ManagedFolder:
        return self

    def append_file(self, source: Path, patch: Entry, time: datetime | None) -> Entry:
        """Append the patch of a temporary file, without writing the index.

        Args:
            source: the temporary file.
            patch: what is known about its patch.
            time: the time of the patch; by default, now.

        Raises:
            LogConflictError: another patch follows the same `prev`, or the log has no patch `prev`.
            LogError: the id belongs to another patch.
        """
        id, prev, index = check_id(patch), patch.prev, self.index
        has_looked = False
        with index.lock:
            while True:
                if prev != index.head and not has_looked:
                    index.look()
                if prev != index.head or id == prev or index.find_recent(id) is not None:
                    return self._find_same(patch)
                before, has_looked = index.next, True
                entry = self.writer.create_next(source, patch, time)
                if entry is not None:
                    self.counters.add(appends=1)
                    return entry
                self.counters.add(retries=1)
                index.look()
                if index.next == before:
                    raise index.taken()

    def _find_same(self, patch: Entry) -> Entry:
        """Return the patch of the log that equals one that cannot be appended.

        A program appends a patch again if an error hid that the first attempt succeeded.
        """
        id, prev, index = check_id(patch), patch.prev, self.index
        view = IndexedView(index)
        if id == prev:
            raise LogError(f"the patch has the id of the patch before it, {id}")
        there = index.find_recent(id)
        if there is not None:
            if there.sha256 != patch.sha256 and there.prev != prev:
                raise LogError(f"{there.file} has another patch with the id {id}")
        else:
            before = view.find_state(prev)
            if before is None or before >= view.last:
                raise conflict(patch, None, index.head)
            there = view.entry(Position(before + 1))
        if there.id != id or there.sha256 != patch.sha256:
            LOGGER.info("%s: %s was appended before %s", self.files.url, there.id, id)
            raise conflict(patch, there.id, index.head)
        return view.entry(there.position)

    def keep(self, entry: Entry, state: Any, prefixes: Any) -> None:
        """Keep the state after a patch that was just appended, for the next one who needs a state.

        Args:
            entry: the patch.
            state: the statements.
            prefixes: the prefixes.
        """
        self._kept = entry, Base(entry.position, state, prefixes)

    def snapshot(self, position: Position, *, has_state: bool = True) -> Base | None:
        """Return the last snapshot of a state, or of one before it; see `Chain.snapshot`."""
        if has_state and self._kept is not None:
            (entry, kept), self._kept = self._kept, None
            if kept.position == position and self.index.entry(position) == entry:
                return kept
        for found in self.snapshots(position):
            base = self._engine.read_snapshot(found, has_state=has_state)
            if base is not None:
                return base
        view = IndexedView(self.index)
        first = view.canonical_first(position) if has_state else None
        return None if first is None else self._engine.first_state(view, first)

    def snapshots(self, position: Position) -> Iterator[Snapshot]:
        """Yield the snapshots of a state or of states before it, the last one first."""
        return snapshots.usable(self.files, self.index, position)

    def has_snapshot(self, position: Position) -> bool:
        """Return whether there is an intact snapshot of a state; its files are read."""
        return snapshots.is_saved(self.files, self.index, position)

    def is_snapshot_due(self, view: LogView, position: Position) -> bool:
        """Return whether a snapshot of a state is worth its cost; see `Log.compact`."""
        last = next(self.snapshots(position), None)
        if last is not None:
            begin, size = Position(last.log_seq), last.size
        elif (first := view.canonical_first(position)) is not None:
            begin, size = first.position, plain_size(first.file, first.size) // COMPRESSION_RATIO
        else:
            begin, size = view.start, 0
        return snapshots.is_due(size, sum(file_sizes(view.entries(begin, position)).values()))

    def save(self, position: Position, state: Any, prefixes: Any) -> None:
        """Save a state as a snapshot.

        Args:
            position: the position of the state.
            state: the statements.
            prefixes: the prefixes.
        """
        folder = snapshots.new_folder(position)
        found, digests = self._engine.write_state(folder, state, prefixes)
        snapshots.publish(self.files, self.index, position, folder, found, digests)

    def vacuum(self, retention: timedelta, *, dry_run: bool) -> Removed:
        """Remove what is no longer needed; see `Log.vacuum`."""
        names = removable(self.files, self._fresh_index(), retention)
        if not dry_run:
            for name in names:
                if is_temporary_file(name):
                    self.files.remove_left(name)
                else:
                    self.files.remove(name)
            LOGGER.info("%s: removed %d files and folders", self.files.url, len(names))
        return names

    def optimize(
        self, target_size: int, index_columns: str, compression: str | None, *, dry_run: bool
    ) -> list[range]:
        """Pack small files of patches into larger ones; see `Log.optimize`."""
        index = self._fresh_index()
        optimizer = Optimizer(self.files, index, target_size, index_columns, compression)
        plan = optimizer.plan()
        return [positions_of(sources) for sources in plan] if dry_run else optimizer.run(plan)

    def _fresh_index(self) -> LogIndex:
        """Return an index of this thread alone, which knows all patches.

        What this program knows may be old: segments may have been merged since.
        """
        index = LogIndex.open(self.files)
        assert index is not None
        index.look()
        return index

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the log; every file is read. See `Log.verify`."""
        yield from findings.findings(self.files, self.index)
        yield from findings.unrelated_files(self.files)


class ScannedFolder(PatchFolder):
    """A folder whose patch files are read to learn what they hold, until it is a managed log."""

    def __init__(self, files: Files, engine: FolderEngine) -> None:
        super().__init__(files, engine)
        self._scan = FolderScan(files)
        # What the folder has become.
        self._managed: ManagedFolder | None = None

    def now(self) -> PatchFolder:
        """Return the managed log that the folder is now, or else this folder."""
        if self._managed is None:
            index = LogIndex.open(self.files)
            if index is not None:
                self._managed = self._with(index)
        return self._managed or self

    def _with(self, index: LogIndex) -> ManagedFolder:
        return ManagedFolder(self.files, self._engine, index)

    def view(self) -> LogView:
        """Return the patches in the order of their chain.

        Raises:
            LogError: the patches do not form one chain.
        """
        found = self._scan.entries()
        if not found and self.files.list(snapshots.FOLDER):
            raise LogError(_NO_PATCH)
        return ListedView(found)

    def names(self) -> list[str]:
        """Return the names of the patch files, in the order of the chain as far as there is one."""
        return self._scan.names()

    def adopt(self) -> int:
        """Make the folder a managed log, and return the number of patches; see `Log.adopt`.

        Raises:
            LogError: the patches do not form one chain, or another program has adopted them.
        """
        index = adoption.adopt(self.files, FolderScan(self.files).entries())
        self._managed = self._with(index)
        return index.next - index.begin

    def check_appendable(self) -> None:
        """Check that the folder can become a managed log, because it has no patches.

        Raises:
            LogError: it has some.
        """
        if any(map(format_of, self.files.list())) or self.files.list(snapshots.FOLDER):
            raise LogError(
                f"{self.files.url} has patches, but is not a managed log, so nothing can be "
                "appended: call Log.adopt once"
            )

    @property
    def _next(self) -> Position:
        return Position(0) if self._managed is None else self._managed.index.next

    def _begun(self, patch: Entry) -> ManagedFolder:
        """Return the managed log that the folder is, or becomes with its first patch."""
        log = self.now()
        if not isinstance(log, ManagedFolder):
            self.check_appendable()
            # A patch that cannot be the first one does not make the folder a managed log.
            if patch.prev is not None:
                raise conflict(patch, None, None)
            index = create(self.files, block_of([])) or LogIndex.open(self.files)
            assert index is not None
            log = self._managed = self._with(index)
        return log

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the folder; every file is read. See `Log.verify`."""
        yield from self._scan.findings()
        yield from findings.unrelated_files(self.files)
