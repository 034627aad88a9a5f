"""Committing a state: the patch that leads from the last version of a log to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.terms import Literal, format_term
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.entries.entry import Version
from jelly_spark.log.entries.order import new_id
from jelly_spark.log.entries.view import LogView
from jelly_spark.patches.canonical import canonical_patch
from jelly_spark.patches.differences import prefix_changes, replaces_blank_nodes
from jelly_spark.patches.statements import Prefixes, PrefixKey, Statement, read_prefixes


class Commit(NamedTuple):
    """What `Log.commit` appended, or would append.

    Attributes:
        id: the id of the patch.
        prev: the id of the patch before it; None for the first patch of a log.
        version: the new version; None in a dry run.
        adds: the number of statements that are added.
        deletes: the number of statements that are deleted.
        prefixes: the number of prefixes that are added or deleted.
        replaces_blank_nodes: whether most of these have blank nodes, as when only labels are new.
    """

    id: str
    prev: str | None
    version: Version | None
    adds: int
    deletes: int
    prefixes: int
    replaces_blank_nodes: bool


def patch_between(
    before: set[Statement],
    after: set[Statement],
    *,
    prev: str | None,
    prefixes: tuple[Prefixes, Prefixes],
    message: str | None,
) -> list[PatchRow]:
    """Return the canonical patch between two states, with a new `id`.

    Args:
        before: the statements of the last version.
        after: the statements of the new version, with labels and tags of the last one.
        prev: the id of the last version; None for an empty log.
        prefixes: the prefixes of both.
        message: the value of a header `message`; None for no such header.

    Returns:
        The rows; an empty list if the states are equal.
    """
    changed = prefix_changes(*prefixes)
    deleted, added = before - after, after - before
    if not (deleted or added or any(changed)):
        return []
    others = {} if message is None else {"message": format_term(Literal(message))}
    return canonical_patch(new_id(), prev, changed, deleted, added, others)


def check_time(time: datetime, view: LogView) -> None:
    """Check the time that a new version is to have: times must not go back in a log.

    Args:
        time: the time, in UTC.
        view: the patches of the log.

    Raises:
        LogError: it is before the time of the last version.
        OptionError: it is in the future.
    """
    if time > datetime.now(timezone.utc):
        raise OptionError(f"{time.isoformat()} is in the future: only earlier versions have a time")
    last = view.entry(view.last) if view else None
    if last is not None and last.time is not None and time < last.time:
        raise LogError(
            f"{time.isoformat()} is before the time of the last patch, {last.id}, which is "
            f"{last.time.isoformat()}: commit the states in the order of their times"
        )


def commit_of(patch: Sequence[PatchRow]) -> Commit:
    """Return what a patch of `patch_between` would commit."""
    headers = {row.name: row.value for row in patch if row.op == "H"}
    ops = Counter(row.op for row in patch)
    return Commit(
        str(headers["id"]),
        headers.get("prev"),
        None,
        ops["A"],
        ops["D"],
        ops["PA"] + ops["PD"],
        replaces_blank_nodes(patch),
    )


def updated(old: Prefixes, new: Prefixes) -> dict[PrefixKey, str]:
    """Return the new prefixes, with the old ones of graphs that have no new ones."""
    found = read_prefixes(new)
    graphs = {graph for graph, _ in found}
    return {key: iri for key, iri in old.items() if key[0] not in graphs} | found
