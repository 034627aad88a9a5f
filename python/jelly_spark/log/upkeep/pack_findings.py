"""What is wrong with the packs of a managed log; see `Log.verify`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jelly_spark.errors import JellySparkError, LogError
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.files import Files, digest_of
from jelly_spark.log.entries.order import LogFinding
from jelly_spark.log.entries.packs import PACK_AGAIN, Pack, entries_file
from jelly_spark.log.entries.patch_files import scan
from jelly_spark.log.index.block import load
from jelly_spark.log.index.index_files import SEGMENTS, TAIL
from jelly_spark.log.index.log_index import LogIndex


def findings(files: Files, index: LogIndex, listed: Collection[str]) -> Iterator[LogFinding]:
    """Yield what is wrong with the packs; each is read.

    Args:
        files: the files of the log.
        index: the index of the log.
        listed: the names of the files in the log's folder.
    """
    for pack in index.packs:
        positions = range(max(pack.first, index.begin), pack.end)
        entries = index.entries(positions)
        name = entries_file(pack.file)
        beside = _entries(files, name, positions)
        if beside is None or not all(map(_agree, beside, entries)):
            message = (
                f"{name} is missing, or does not match the index: remove it, and Log.optimize "
                "writes it again"
            )
            yield LogFinding("wrong-index", name, message)
        broken = _broken_rule(files, pack, entries)
        if broken is None:
            continue
        rule, message = broken
        if rule != "wrong-index":
            are_there = all(entry.file in listed for entry in entries)
            if not are_there:
                remedy = "restore it from a backup"
            else:
                remedy = PACK_AGAIN if rule == "missing-file" else f"remove it: {PACK_AGAIN}"
            message = f"{message}; {remedy}"
        yield LogFinding(rule, pack.file, message)


def _agree(beside: Entry, entry: Entry) -> bool:
    """Return whether entries have the same, but for the time, which is about that of the file."""
    known = entry._replace(
        canonical=beside.canonical,
        subjects=beside.subjects,
        message=beside.message,
        time=beside.time,
    )
    return beside.agrees_with(entry) and beside == known


def _entries(files: Files, name: str, positions: range) -> list[Entry] | None:
    """Return the entries of positions in a file of entries; None if it lacks some of them."""
    try:
        block = load(files.read(name), name)
    except (FileNotFoundError, LogError):
        return None
    if block is None or block.first > positions.start or block.next != positions.stop:
        return None
    return block.parts(positions.start)[1].entries


def _broken_rule(files: Files, pack: Pack, entries: list[Entry]) -> tuple[str, str] | None:
    """Return the rule that a pack breaks, and a message, given the entries of its last patches."""
    try:
        found = scan(files, pack.file)
    except FileNotFoundError:
        return "missing-file", f"{pack.file} is missing"
    except (JellySparkError, OSError) as error:
        return "unreadable-file", f"{pack.file} is damaged: {error}"
    digest = found[0].sha256 if found else digest_of(files, pack.file)
    if digest != pack.sha256:
        return "changed-file", f"the SHA-256 of {pack.file} is {digest}, and was {pack.sha256}"
    if len(found) != len(pack.positions) or not all(
        map(Entry.agrees_with, entries, found[-len(entries) :])
    ):
        message = (
            f"the index does not match {pack.file}: restore {entries_file(pack.file)} from a "
            f"backup, and remove {TAIL} and {SEGMENTS}"
        )
        return "wrong-index", message
    return None
