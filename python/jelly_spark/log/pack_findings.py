"""What is wrong with the packs of a managed log; see `Log.verify`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jelly_spark.errors import JellySparkError
from jelly_spark.log.chain import LogFinding
from jelly_spark.log.entries import Entry
from jelly_spark.log.files import Files
from jelly_spark.log.managed import SEGMENTS, TAIL, ManagedIndex
from jelly_spark.log.packs import PACK_AGAIN, Pack
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
        broken = _broken_rule(files, pack, entries)
        if broken is None:
            continue
        rule, message = broken
        if rule != "wrong-index":
            are_there = all(entry.file in listed for entry in entries)
            remedy = f"remove it: {PACK_AGAIN}" if are_there else "restore it from a backup"
            message = f"{message}; {remedy}"
        yield LogFinding(rule, pack.file, message)


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
    known = [entry.summary._replace(canonical=False) for entry in entries]
    if len(summaries) != len(pack.places) or [*summaries[-len(known) :]] != known:
        message = f"the index does not match {pack.file}: remove {TAIL} and {SEGMENTS}"
        return "wrong-index", message
    return None
