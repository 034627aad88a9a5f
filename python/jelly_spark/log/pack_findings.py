"""What is wrong with the packs of a managed log; see `Log.verify`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jelly_spark.errors import JellySparkError, LogError
from jelly_spark.log.chain import LogFinding, Summary
from jelly_spark.log.entries import Entry, load
from jelly_spark.log.files import Files
from jelly_spark.log.managed import SEGMENTS, TAIL, ManagedIndex
from jelly_spark.log.packs import PACK_AGAIN, Pack, entries_file
from jelly_spark.log.patch_files import scan


def findings(files: Files, index: ManagedIndex, listed: Collection[str]) -> Iterator[LogFinding]:
    """Yield what is wrong with the packs; each is read.

    Args:
        files: the files of the log.
        index: the index of the log.
        listed: the names of the files in the log's folder.
    """
    for pack in index.packs:
        places = range(max(pack.first, index.begin), pack.end)
        entries = index.entries(places)
        name = entries_file(pack.file)
        beside = _entries(files, name, places)
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
    found = entry.summary._replace(canonical=False)
    return beside.summary.agrees_with(found) and beside == entry._replace(
        summary=beside.summary, time=beside.time
    )


def _entries(files: Files, name: str, places: range) -> list[Entry] | None:
    """Return the entries of positions in a file of entries; None if it lacks some of them."""
    try:
        block = load(files.read(name), name)
    except (FileNotFoundError, LogError):
        return None
    if block is None or block.first > places.start or block.next != places.stop:
        return None
    return block.parts(places.start)[1].entries


def _broken_rule(files: Files, pack: Pack, entries: list[Entry]) -> tuple[str, str] | None:
    """Return the rule that a pack breaks, and a message, given the entries of its last patches."""
    try:
        digest, summaries = scan(files, pack.file)
    except FileNotFoundError:
        return "missing-file", f"{pack.file} is missing"
    except (JellySparkError, OSError) as error:
        return "unreadable-file", f"{pack.file} is damaged: {error}"
    if digest != pack.sha256:
        return "changed-file", f"the SHA-256 of {pack.file} is {digest}, and was {pack.sha256}"
    known = [entry.summary for entry in entries]
    if len(summaries) != len(pack.places) or not all(
        map(Summary.agrees_with, known, summaries[-len(known) :])
    ):
        message = (
            f"the index does not match {pack.file}: restore {entries_file(pack.file)} from a "
            f"backup, and remove {TAIL} and {SEGMENTS}"
        )
        return "wrong-index", message
    return None
