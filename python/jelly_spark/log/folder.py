"""A folder of patch files: the chain of its patches, and appending to it."""

from __future__ import annotations

import re
import warnings
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.files.local import FileInfo
from jelly_spark.errors import JellySparkError, LogError
from jelly_spark.formats import find_format
from jelly_spark.log import index, snapshots
from jelly_spark.log.chain import (
    Link,
    LogFinding,
    Summary,
    Version,
    broken_rules,
    check_id,
    conflict,
    files_in_order,
    head_of,
    order,
)
from jelly_spark.log.files import OWN, Files, HashedStream, digest_of
from jelly_spark.log.index import Entry
from jelly_spark.log.patch_files import FORMAT, format_of, scan
from jelly_spark.log.snapshots import Origin, origin_of
from jelly_spark.log.store import Store
from jelly_spark.patches.log_rows import Headers

_COMPRESSION = 4
"""The assumed compression ratio of a compressed file."""

_NO_PATCH = (
    "the log has snapshots, but no patch: bring back the last one that was removed, or remove the "
    "folder _log with the snapshots"
)

# A name that `append` gave: 20 digits, of which 18 are used, so that the number fits a bigint.
_OUR_NAME = re.compile(r"(00\d{18})\.")


class PatchFolder(Store):
    """A folder of patches as a store: its chain, its index and its snapshots.

    Attributes:
        files: the files of the folder.
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        # The content of files that were read, or that the index describes, by name.
        self._known: dict[str, Entry] = {}
        # The names of files that were added, but are not in the index yet.
        self._new: set[str] = set()
        # The number in the name of the next file, after the versions that `_add` last looked at.
        self._next_number = 0
        # The index file as it was last read or written, and its entries.
        self._index: tuple[bytes, dict[str, Entry]] = b"", {}

    def versions(self) -> list[Version]:
        """Return the patches in the order of their chain.

        Raises:
            LogError: the patches do not form one chain, or there are snapshots but no patches.
        """
        found = order(_links(self._look()))
        if not found and self.files.list(snapshots.FOLDER):
            raise LogError(_NO_PATCH)
        return found

    def origin(self, versions: Sequence[Version]) -> Origin:
        """Return what identifies the patches of versions, the first one of the log included."""
        return origin_of(self.files, versions, self._known)

    def summary(self, version: Version) -> Summary:
        """Return the summary of a patch that `versions` returned."""
        return self._known[version.file].patches[version.patch]

    def shift(self, versions: Iterable[Version]) -> int | None:
        """Return the difference between the numbers in file names and the positions in the log.

        With it, `log_seq` can be computed from the name of a file. None if a name has no number, a
        file has several patches, or the difference is not the same for all patches.
        """
        shifts = set()
        for version in versions:
            ours = _OUR_NAME.match(version.file)
            if ours is None or len(self._known[version.file].patches) != 1:
                return None
            shifts.add(int(ours[1]) - version.log_seq)
        return shifts.pop() if len(shifts) == 1 else None

    def size(self, versions: Iterable[Version]) -> int:
        """Return the approximate uncompressed size of the files of some patches, in bytes."""
        return sum(
            self._known[name].info.size * (1 if compression_of(name) is None else _COMPRESSION)
            for name in {version.file for version in versions}
        )

    def append(self, patches: Iterable[Any]) -> Iterator[Version]:
        """Append patches, one after the other; see `Log.append_all`."""
        versions: list[Version] | None = None
        try:
            for patch in patches:
                with self.files.temporary() as path:
                    version, versions = self._add(path, self.write(patch, path), versions)
                yield version
        finally:
            self._record_new()

    @abstractmethod
    def write(self, patch: Any, path: Path) -> Summary:
        """Write a patch to a file, in the format `FORMAT`, and return its summary."""

    def _add(
        self, source: Path, summary: Summary, versions: list[Version] | None
    ) -> tuple[Version, list[Version] | None]:
        """Append the patch of a file, without writing the index.

        Args:
            source: a temporary file with one patch, in the format `FORMAT`.
            summary: the summary of the patch.
            versions: the versions of the log as the last call returned them; None to look now. If
                another process has appended since, the patch does not follow the last of them, or
                the name of its file is taken.

        Returns:
            The version of the patch, and all versions; None for these if the next call must look.
        """
        headers = summary.headers
        id = check_id(headers)
        with open(source, "rb") as file:
            digest = HashedStream(file, str(source)).digest()
        if versions is not None and (there := self._find(headers, digest, versions)):
            return there, versions
        if versions is None or headers.prev != head_of(versions):
            versions = self.versions()
            if there := self._find(headers, digest, versions):
                return there, versions
            if headers.prev != head_of(versions):
                raise conflict(headers, versions)
            self._next_number = _number_after(versions)
        name = f"{self._next_number:020d}{find_format(FORMAT).extension}"
        if not self.files.create(name, source):
            return self._find_winner(name, headers, digest), None
        info = self.files.info(name)
        self._known[name] = Entry(info, digest, (summary,))
        self._new.add(name)
        self._next_number += 1
        version = Version(id, headers.prev, len(versions), info.time, name, 0)
        versions.append(version)
        return version, versions

    def _record_new(self) -> None:
        """Add the files that were added to the index."""
        if not self._new:
            return
        # An entry under one of these names is of a file that was removed.
        recorded = {
            name: entry for name, entry in self._recorded().items() if name not in self._new
        }
        self._record(recorded, self._new)
        self._new = set()

    def _find(self, headers: Headers, digest: str, versions: list[Version]) -> Version | None:
        """Return the patch of the log that equals the appended one; None if there is none.

        A program appends a patch again if an error hid that the first attempt succeeded.

        Raises:
            LogError: the id belongs to another patch of the log, or to the one before the first.
        """
        if versions and versions[0].prev == headers.id:
            raise LogError(f"the log begins after a patch with the id {headers.id}")
        for version in versions:
            if version.id == headers.id:
                if self._known[version.file].sha256 == digest:
                    return version
                if version.prev != headers.prev:
                    raise LogError(f"{version.file} has another patch with the id {version.id}")
        return None

    def _find_winner(self, name: str, headers: Headers, digest: str) -> Version:
        """Return the patch in the file whose name is taken, if it is equal to the appended one.

        Raises:
            LogConflictError: another patch has the same `prev`.
            LogError: what has the name is not a patch of the log, or the id belongs to another one.
        """
        versions = self.versions()
        if there := self._find(headers, digest, versions):
            return there
        if any(name == version.file or version.prev == headers.prev for version in versions):
            raise conflict(headers, versions)
        raise LogError(
            f"{name} is the name of the patch after {headers.prev}, but it is not a patch of the "
            "log: rename it"
        )

    def _look(self) -> dict[str, Entry]:
        """Return the content of all patch files, by name; only new and changed files are read."""
        listed = {
            name: info
            for name, info in self.files.list().items()
            if name in self._known or format_of(name)
        }
        if not all(_is_of(self._known.get(name), info) for name, info in listed.items()):
            recorded = self._recorded()
            self._known = {**recorded, **self._known}
            for name, info in listed.items():
                known = self._known.get(name)
                if not _is_of(known, info):
                    entry = Entry(info, *scan(self.files, name))
                    if known is not None and known.sha256 == entry.sha256:
                        # The file was copied or touched: keep the time of the first look.
                        entry = entry._replace(info=info._replace(time=known.info.time))
                    self._known[name] = entry
            self._record(recorded, listed)
        return {name: self._known[name] for name in listed}

    def _recorded(self) -> dict[str, Entry]:
        """Return the entries of the index, by file name; empty if there is no valid index."""
        try:
            data = self.files.read(index.NAME)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        if data != self._index[0]:
            self._index = data, index.load(data)
        return self._index[1]

    def _record(self, recorded: dict[str, Entry], names: Iterable[str]) -> None:
        """Add files to the index, and write it if anything is new.

        The entries of changed and missing files are kept, so that `verify` reports these files.
        """
        new = {
            name: self._known[name]
            for name in names
            if name not in recorded or self._is_unchanged(name, self._known[name], recorded[name])
        }
        entries = {**recorded, **new}
        if entries == recorded:
            return
        data = index.dump(entries)
        try:
            self.files.replace(index.NAME, data)
        except OSError as error:
            warnings.warn(
                f"{self.files.path(index.NAME)} cannot be written ({error}). The log works without "
                "it, but each program reads all new files again",
                RuntimeWarning,
                stacklevel=2,
            )
        else:
            self._index = data, entries

    def _is_unchanged(self, name: str, entry: Entry, recorded: Entry) -> bool:
        """Return whether a file is as it was recorded, or has only grown since.

        A file of another program may have been recorded while that program was still writing it.
        Files that `append` made were complete.
        """
        if entry.sha256 == recorded.sha256:
            return True
        size = recorded.info.size
        return (
            _OUR_NAME.match(name) is None
            and entry.info.size > size
            and digest_of(self.files, name, size) == recorded.sha256
        )

    def names(self) -> list[str]:
        """Return the names of the patch files, in the order of the chain as far as there is one.

        Files that cannot be read come last. The index is not changed.
        """
        recorded = self._recorded()
        links: list[Link] = []
        unreadable = []
        for name, info in sorted(self.files.list().items()):
            if not format_of(name):
                continue
            known = recorded.get(name)
            if not _is_of(known, info):
                try:
                    known = Entry(info, *scan(self.files, name))
                except (JellySparkError, OSError):
                    known = None
            if known is None or not known.patches:
                unreadable.append(name)
            else:
                links += _links({name: known})
        return [*files_in_order(links), *unreadable]

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the folder; every file is read. See `Log.verify`."""
        # Read the index before the folder: a concurrent append writes the patch before the index.
        recorded = self._recorded()
        listed = self.files.list()
        links: list[Link] = []
        found: dict[str, Entry] = {}
        for name in sorted({*recorded, *listed}):
            if name not in listed:
                yield LogFinding(
                    "missing-file", name, f"{name} is in the index, but not in the log"
                )
            elif format_of(name):
                try:
                    entry = Entry(listed[name], *scan(self.files, name))
                except (JellySparkError, OSError) as error:
                    yield LogFinding("unreadable-file", name, str(error))
                else:
                    links += _links({name: entry})
                    found[name] = entry
                    yield from self._differences(name, entry, recorded.get(name, entry))
            elif not name.startswith((".", "_")):
                message = f"{name} is not a patch file, and is ignored"
                yield LogFinding("unreferenced-file", name, message)
        broken = [*broken_rules(links)]
        yield from broken
        if not links and self.files.list(snapshots.FOLDER):
            yield LogFinding("missing-file", snapshots.FOLDER, _NO_PATCH)
        yield from snapshots.findings(
            self.files, None if broken else origin_of(self.files, order(links), found)
        )
        for name in self.files.list(OWN):
            if name.endswith(".part") and not self.files.is_written(name):
                message = f"{name} is the temporary file of an append that was killed: remove it"
                yield LogFinding("unreferenced-file", name, message)

    def _differences(self, name: str, entry: Entry, recorded: Entry) -> Iterator[LogFinding]:
        """Yield what is wrong with a readable file, compared with its entry in the index."""
        if not entry.patches:
            yield LogFinding("unreferenced-file", name, f"{name} holds no patch")
        if not self._is_unchanged(name, entry, recorded):
            message = (
                f"{name} has changed since {recorded.info.time.isoformat()}: its SHA-256 is "
                f"{entry.sha256}, and was {recorded.sha256}"
            )
            yield LogFinding("changed-file", name, message)
        elif entry.sha256 == recorded.sha256 and entry.patches != recorded.patches:
            message = f"the index does not match {name}: remove {index.NAME}"
            yield LogFinding("wrong-index", name, message)


def _is_of(entry: Entry | None, info: FileInfo) -> bool:
    """Return whether an entry describes a file as it is listed now."""
    return entry is not None and entry.info[:2] == info[:2]


def _links(entries: dict[str, Entry]) -> list[Link]:
    return [
        Link(id, prev, name, patch, entry.info.time)
        for name, entry in entries.items()
        for patch, ((id, prev), *_) in enumerate(entry.patches)
    ]


def _number_after(versions: Sequence[Version]) -> int:
    """Return the number in the name of the next patch's file: one more than the highest so far.

    Concurrent appends after the same patch compute the same name, so only one of them succeeds.
    """
    names = (_OUR_NAME.match(version.file) for version in versions)
    highest = max((int(name[1]) for name in names if name), default=len(versions) - 1)
    return highest + 1
