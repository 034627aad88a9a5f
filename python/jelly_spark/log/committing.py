"""Committing a state: the patch that leads from the last version of a log to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.terms import Literal, format_term
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.chain import new_id
from jelly_spark.log.entry import Version
from jelly_spark.log.view import LogView
from jelly_spark.patches.canonical import with_header
from jelly_spark.patches.differences import BlankNodes, difference, replaces_blank_nodes
from jelly_spark.patches.language_tags import LanguageTags
from jelly_spark.patches.statements import Prefixes, Statements


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
    before: Statements,
    after: Statements,
    *,
    prev: str | None,
    prefixes: tuple[Prefixes, Prefixes],
    message: str | None,
    blank_nodes: BlankNodes,
    language_tags: LanguageTags,
) -> list[PatchRow]:
    """Return the canonical patch between two states, with a new `id`.

    Args:
        before: the statements of the last version.
        after: the statements of the new version.
        prev: the id of the last version; None for an empty log.
        prefixes: the prefixes of both.
        message: the value of a header `message`; None for no such header.
        blank_nodes: how blank nodes are compared; see `jelly_spark.patches.diff`.
        language_tags: how language tags are compared, likewise.

    Returns:
        The rows; an empty list if the states are equal.
    """
    rows = difference(
        before,
        after,
        id=new_id(),
        prev=prev,
        prefixes=prefixes,
        blank_nodes=blank_nodes,
        language_tags=language_tags,
    )
    if all(row.op == "H" for row in rows):
        return []
    if message is None:
        return rows
    return with_header(rows, "message", format_term(Literal(message)))


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


def updated(old: Prefixes, new: Prefixes) -> Prefixes:
    """Return the new prefixes, with the old ones of graphs that have no new ones."""
    graphs = {graph for graph, _ in new}
    return {key: iri for key, iri in old.items() if key[0] not in graphs} | dict(new)
