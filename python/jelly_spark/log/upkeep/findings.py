"""What is wrong with the files of a managed log; see `Log.verify`."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.errors import JellySparkError
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.files import Files, digest_of
from jelly_spark.log.entries.order import LogFinding
from jelly_spark.log.entries.patch_files import format_of
from jelly_spark.log.entries.scanned import read_file
from jelly_spark.log.index.block import file_of, number_of
from jelly_spark.log.index.index_files import SEGMENTS, TAIL
from jelly_spark.log.index.indexed_view import IndexedView
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.settings import FOLDER, settings_after
from jelly_spark.log.upkeep import pack_findings, snapshots
from jelly_spark.log.upkeep.housekeeping import remains


def findings(files: Files, index: LogIndex) -> Iterator[LogFinding]:
    """Yield what is wrong with a managed log; every file is read."""
    try:
        with index.lock:
            index.look()
    except (JellySparkError, OSError) as error:
        yield LogFinding("unreadable-file", file_of(index.next), str(error))
    yield from _differences(files, index)
    yield from snapshots.findings(files, index)
    if not settings_after(files, -1):
        message = f"the folder {FOLDER} is missing: restore it from a backup"
        yield LogFinding("missing-file", FOLDER, message)
    start = IndexedView(index).start
    if index.end_at(start)[0] is not None and not snapshots.is_saved(files, index, start):
        message = (
            "the state before the first patch is not known, because its snapshot is missing: "
            "restore it from a backup"
        )
        yield LogFinding("missing-snapshot", snapshots.FOLDER, message)


def unrelated_files(files: Files) -> Iterator[LogFinding]:
    """Yield the files in a folder of patches that are neither patches nor in use."""
    for name in files.list():
        if not format_of(name) and not name.startswith((".", "_")):
            message = f"{name} is not a patch file, and is ignored"
            yield LogFinding("unreferenced-file", name, message)
    for name in remains(files):
        message = f"a killed program left {name}: `jelly-spark log vacuum` removes it"
        yield LogFinding("unreferenced-file", name, message)


def _differences(files: Files, index: LogIndex) -> Iterator[LogFinding]:
    """Yield where the patch files differ from the index."""
    listed = files.list()
    by_file: dict[str, list[Entry]] = {}
    needed = set()
    for entry in IndexedView(index).all():
        by_file.setdefault(entry.file, []).append(entry)
        if entry.pack is None:
            needed.add(entry.file)
    yield from _repeated_ids(by_file)
    yield from pack_findings.findings(files, index, listed)
    for name, entries in by_file.items():
        if name not in listed:
            if name in needed:
                yield LogFinding("missing-file", name, f"{name} is missing")
            continue
        try:
            found = read_file(files, name, listed[name])
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
        digest = digest_of(files, name)
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
