"""A folder of patch files: a managed log, or a folder of other programs that is only read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

from jelly_spark.errors import JellySparkError, LogError, OptionError
from jelly_spark.log import adoption
from jelly_spark.log.chain import LogFinding, Removed, check_id, conflict
from jelly_spark.log.entry import Entry, Position
from jelly_spark.log.files import Files, digest_of
from jelly_spark.log.index import packs
from jelly_spark.log.index.block import file_of, number_of
from jelly_spark.log.index.log_index import LOGGER, SEGMENTS, TAIL, LogIndex
from jelly_spark.log.index.settings import FOLDER, settings_after
from jelly_spark.log.index.subject_filters import hash_of
from jelly_spark.log.patch_files import format_of
from jelly_spark.log.scanned import FolderScan, read_file
from jelly_spark.log.store import Store
from jelly_spark.log.upkeep import pack_findings, snapshots
from jelly_spark.log.upkeep.housekeeping import is_temporary_file, remains, removable
from jelly_spark.log.upkeep.optimizing import Optimizer, positions_of
from jelly_spark.log.upkeep.snapshots import Snapshot
from jelly_spark.log.view import ListedView, LogView

_NO_PATCH = (
    "the log has snapshots, but no patch: bring back the last one that was removed, or remove the "
    "folder _log with the snapshots"
)

_SAVE_AFTER = 1.0
"""After how many seconds the index is written while many patches are appended."""


class PatchFolder(Store):
    """A folder of patches as a store: its chain and its snapshots.

    Attributes:
        files: the files of the folder.
    """

    def __init__(self, files: Files) -> None:
        self.files, self.counters = files, files.counters
        # The index, once the folder is known to be a managed log.
        self._index: LogIndex | None = None
        # The patches of a folder that is not one.
        self._scan = FolderScan(files)

    def _find_index(self) -> LogIndex | None:
        if self._index is None:
            self._index = LogIndex.open(self.files)
        return self._index

    def check_appendable(self) -> None:
        """Check that patches can be appended to the folder.

        Raises:
            LogError: the folder has patches, and is not a managed log.
        """
        if self._find_index() is None:
            adoption.check_empty(self.files)

    def view(self) -> LogView:
        """Return the patches in the order of their chain.

        Raises:
            LogError: the patches do not form one chain.
        """
        index = self._find_index()
        if index is not None:
            with index.lock:
                index.look()
                return index.view()
        found = self._scan.entries()
        if not found and self.files.list(snapshots.FOLDER):
            raise LogError(_NO_PATCH)
        return ListedView(found)

    def check_packs(self, patches: Iterable[Entry]) -> None:
        """Check the sizes of the packs of some patches, because readers skip parts of them.

        Raises:
            LogError: one has another size.
        """
        for pack in {patch.pack for patch in patches if patch.pack is not None}:
            if self.files.has(pack.file):
                size = self.files.info(pack.file).size
                if size != pack.size:
                    raise LogError(
                        f"{self.files.path(pack.file)} has {size} bytes, and had {pack.size}: see "
                        "Log.verify"
                    )

    @property
    def is_managed(self) -> bool:
        """Whether the folder is known to be a managed log."""
        return self._index is not None

    def find_snapshots(self, position: Position) -> Iterator[Snapshot]:
        """Yield the snapshots of a state or of states before it, the last one first."""
        if self._index is not None:
            yield from snapshots.usable(self.files, self._index, position)

    def has_snapshot(self, position: Position) -> bool:
        """Return whether there is an intact snapshot of a state; see `Store.has_snapshot`."""
        return any(
            found.log_seq == position and found.is_intact(self.files)
            for found in self.find_snapshots(position)
        )

    def is_snapshot_due(self, view: LogView, position: Position) -> bool:
        """Return whether a snapshot is worth its cost; see `Store.is_snapshot_due`.

        Raises:
            OptionError: the folder is not a managed log.
        """
        self._managed("it has no snapshots")
        last = next(self.find_snapshots(position), None)
        begin = view.start if last is None else Position(last.log_seq)
        sizes = file_sizes(view.entries(begin, position))
        return snapshots.is_due(last, sum(sizes.values()))

    def new_snapshot(self, position: Position) -> str:
        """Return the name of a folder for the files of a snapshot of a state.

        Raises:
            OptionError: the folder is not a managed log.
        """
        self._managed("it has no snapshots")
        return snapshots.new_folder(position)

    def publish_snapshot(
        self,
        position: Position,
        folder: str,
        prefixes: Sequence[snapshots.Prefix],
        digests: Mapping[str, str] | None = None,
    ) -> None:
        """Make a folder of Jelly-RDF files the snapshot of a state; see `snapshots.publish`."""
        index = self._managed("it has no snapshots")
        snapshots.publish(self.files, index, position, folder, prefixes, digests or {})

    def adopt(self) -> int:
        """Make the folder a managed log, and return the number of patches; see `Log.adopt`.

        Raises:
            LogError: it is one already, or the patches do not form one chain.
        """
        self._index = adoption.adopt(self.files)
        return self._index.next - self._index.begin

    def expire(self, begin: int) -> bool:
        """Make a position that of the first patch; see `Store.expire`."""
        return self._managed("nothing can expire").expire(begin)

    def vacuum(self, retention: timedelta, *, dry_run: bool) -> Removed:
        """Remove what is no longer needed; see `Log.vacuum`."""
        index = self._fresh_index("nothing is removed")
        names = removable(self.files, index, retention)
        if not dry_run:
            for name in names:
                if is_temporary_file(name):
                    self.files.remove_left(name)
                else:
                    self.files.remove(name)
            LOGGER.info("%s: removed %d files and folders", self.files.url, len(names))
        return names

    def _fresh_index(self, otherwise: str) -> LogIndex:
        """Return an index of this thread alone, which knows all patches; see `_managed`.

        What this program knows may be old: segments may have been merged since.
        """
        self._managed(otherwise)
        index = LogIndex.open(self.files)
        assert index is not None
        index.look()
        return index

    def _managed(self, otherwise: str) -> LogIndex:
        """Return the index.

        Raises:
            OptionError: the folder is not a managed log; the message says what that means.
        """
        index = self._find_index()
        if index is None:
            raise OptionError(
                f"{self.files.url} is not a managed log, so {otherwise}: call Log.adopt once"
            )
        return index

    def optimize(
        self, target_size: int, index_columns: str, compression: str | None, *, dry_run: bool
    ) -> list[range]:
        """Pack small files of patches into larger ones; see `Log.optimize`."""
        index = self._fresh_index("nothing can be packed")
        optimizer = Optimizer(self.files, index, target_size, index_columns, compression)
        plan = optimizer.plan()
        return [positions_of(sources) for sources in plan] if dry_run else optimizer.run(plan)

    def moved(self, patches: Sequence[Entry]) -> Sequence[Entry]:
        """Return patches where they are now, given some in a file that is missing.

        Raises:
            LogError: they have expired, or the file has been lost.
        """
        first = patches[0]
        missing = f"{self.files.path(first.source)} is missing: see Log.verify"
        if self._index is not None:
            self._index.look_at_settings()
            if first.position < self._index.begin:
                raise LogError(
                    f"{first.id} has expired: the log begins at position {self._index.begin}"
                )
            found = self._index.located(patches)
            if found[0].source != first.source:
                return found
            if first.pack is not None and self.files.has(first.file):
                missing = f"{self.files.path(first.source)} is missing: {packs.PACK_AGAIN}"
        raise LogError(missing)

    def append(
        self, patches: Iterable[Any], *, canonical: bool, time: datetime | None = None
    ) -> Iterator[Entry]:
        """Append patches, one after the other; see `Store.append`.

        Args:
            patches: the patches.
            canonical: whether all of them are canonical for the state before them.
            time: the time of the patches; by default, that of their append.
        """
        saved = monotonic()
        try:
            for patch in patches:
                following = 0 if self._index is None else self._index.next
                with self.files.temporary(file_of(following)) as path:
                    written = self.write(patch, path)._replace(canonical=canonical)
                    entry = self._append_file(path, written, time)
                assert self._index is not None
                if self._index.has_full_block() or monotonic() > saved + _SAVE_AFTER:
                    self._save()
                    saved = monotonic()
                yield entry
        finally:
            self._save()

    def _save(self) -> None:
        if self._index is not None:
            with self._index.lock:
                self._index.save()

    @abstractmethod
    def write(self, patch: Any, path: Path) -> Entry:
        """Write a patch to a file, in the format `FORMAT`, and return what it has."""

    def _append_file(self, source: Path, patch: Entry, time: datetime | None) -> Entry:
        """Append the patch of a temporary file, without writing the index."""
        check_id(patch)
        index = self._find_index()
        if index is None:
            # A patch that cannot be the first one does not make the folder a managed log.
            adoption.check_empty(self.files)
            if patch.prev is not None:
                raise conflict(patch, None, None)
            index = self._index = adoption.begin(self.files)
        with index.lock:
            return self._append_to(index, source, patch, time)

    def _append_to(
        self, index: LogIndex, source: Path, patch: Entry, time: datetime | None
    ) -> Entry:
        id, prev = check_id(patch), patch.prev
        has_looked = False
        while True:
            if prev != index.head and not has_looked:
                index.look()
            if prev != index.head or id == prev or index.find_recent(id) is not None:
                return self._find_same(index, patch)
            before, has_looked = index.next, True
            entry = index.create_next(source, patch, time)
            if entry is not None:
                self.counters.add(appends=1)
                return entry
            self.counters.add(retries=1)
            index.look()
            if index.next == before:
                raise index.taken()

    def _find_same(self, index: LogIndex, patch: Entry) -> Entry:
        """Return the patch of the log that equals one that cannot be appended.

        A program appends a patch again if an error hid that the first attempt succeeded.

        Raises:
            LogConflictError: another patch follows the same `prev`, or the log has no patch `prev`.
            LogError: the id belongs to another patch.
        """
        id, prev, view = check_id(patch), patch.prev, index.view()
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
            there = index.entry(Position(before + 1))
        if there.id != id or there.sha256 != patch.sha256:
            LOGGER.info("%s: %s was appended before %s", self.files.url, there.id, id)
            raise conflict(patch, there.id, index.head)
        return index.located([there])[0]

    def names(self) -> list[str]:
        """Return the names of the patch files, in the order of the chain as far as there is one.

        Files that cannot be read come last.
        """
        if self._find_index() is None:
            return self._scan.names()
        return [*dict.fromkeys(entry.source for entry in self.view().all())]

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the folder; every file is read. See `Log.verify`."""
        index = self._find_index()
        if index is None:
            yield from self._scan.findings()
        else:
            try:
                with index.lock:
                    index.look()
            except (JellySparkError, OSError) as error:
                yield LogFinding("unreadable-file", file_of(index.next), str(error))
            yield from self._findings_of_index(index)
            yield from snapshots.findings(self.files, index)
            if not settings_after(self.files, -1):
                message = f"the folder {FOLDER} is missing: restore it from a backup"
                yield LogFinding("missing-file", FOLDER, message)
            start = index.view().start
            if index.id_at(start) is not None and not self.has_snapshot(start):
                message = (
                    "the state before the first patch is not known, because its snapshot is "
                    "missing: restore it from a backup"
                )
                yield LogFinding("missing-snapshot", snapshots.FOLDER, message)
        for name in self.files.list():
            if not format_of(name) and not name.startswith((".", "_")):
                message = f"{name} is not a patch file, and is ignored"
                yield LogFinding("unreferenced-file", name, message)
        for name in remains(self.files):
            message = f"a killed program left {name}: `jelly-spark log vacuum` removes it"
            yield LogFinding("unreferenced-file", name, message)

    def _findings_of_index(self, index: LogIndex) -> Iterator[LogFinding]:
        """Yield where the patch files differ from the index."""
        listed = self.files.list()
        by_file: dict[str, list[Entry]] = {}
        needed = set()
        for entry in index.view().all():
            by_file.setdefault(entry.file, []).append(entry)
            if entry.pack is None:
                needed.add(entry.file)
        yield from _repeated_ids(by_file)
        yield from pack_findings.findings(self.files, index, listed)
        for name, entries in by_file.items():
            if name not in listed:
                if name in needed:
                    yield LogFinding("missing-file", name, f"{name} is missing")
                continue
            try:
                found = read_file(self.files, name, listed[name])
            except (JellySparkError, OSError) as error:
                yield LogFinding("unreadable-file", name, str(error))
                continue
            was = entries[0]
            if found and found[0].sha256 == was.sha256:
                if not all(
                    entry.patch < len(found) and entry.agrees_with(found[entry.patch])
                    for entry in entries
                ):
                    message = f"the index does not match {name}: remove {TAIL} and {SEGMENTS}"
                    yield LogFinding("wrong-index", name, message)
                continue
            assert was.time is not None
            digest = digest_of(self.files, name)
            message = (
                f"{name} has changed since {was.time.isoformat()}: its SHA-256 is {digest}, and "
                f"was {was.sha256}"
            )
            yield LogFinding("changed-file", name, message)
        expired = {entry.file for entry in index.expired()}
        for name in listed:
            number = number_of(name)
            is_expired = name in expired or (number is not None and number < index.begin)
            if format_of(name) and name not in by_file and not is_expired:
                message = f"{name} is not a patch of the log, or has expired: remove it"
                yield LogFinding("unreferenced-file", name, message)


def _repeated_ids(by_file: dict[str, list[Entry]]) -> Iterator[LogFinding]:
    found: dict[str | None, str] = {}
    for name, entries in by_file.items():
        for entry in entries:
            if entry.id in found:
                message = (
                    f"{name} and {found[entry.id]} have the same id, {entry.id}: it names the last "
                    "of these patches"
                )
                yield LogFinding("duplicate-id", name, message)
            found[entry.id] = name


def may_have(subject: str, patches: Iterable[Entry]) -> list[Entry]:
    """Return those of some patches that may have statements with a subject, a canonical term.

    Those in packs are all returned: a pack has filters of its own.
    """
    hash = hash_of(subject)
    return [patch for patch in patches if patch.pack is not None or patch.may_have(hash)]


def file_sizes(patches: Iterable[Entry]) -> dict[str, int]:
    """Return the sizes of the files in which some patches were appended or adopted, by name."""
    return {patch.file: patch.size for patch in patches}
