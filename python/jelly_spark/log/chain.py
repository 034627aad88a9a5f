"""The chain of a log: its patches, in the order that their headers `id` and `prev` give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from jelly_spark.errors import LogConflictError, LogError


class Headers(NamedTuple):
    """What a patch says of its place in a log.

    Attributes:
        id: its header `id`; None where it has none.
        prev: its header `prev`.
    """

    id: str | None
    prev: str | None


class Summary(NamedTuple):
    """What a log keeps of a patch, so that a query need not read it for that.

    Attributes:
        headers: its place in the log.
        committed: whether all its changes count: no transaction is aborted, and none is open.
        statements: whether it has a row that adds or deletes a statement.
        prefixes: whether it has one that adds or deletes a prefix.
    """

    headers: Headers
    committed: bool
    statements: bool
    prefixes: bool


class Link(NamedTuple):
    """What the chain needs to know of a patch.

    Attributes:
        id: its header `id`, a term; None where it has none.
        prev: its header `prev`.
        file: the file, or the table, that holds it.
        patch: 0-based ordinal in its file.
        time: when it was appended: the modification time of its file; None where it is not known.
    """

    id: str | None
    prev: str | None
    file: str
    patch: int
    time: datetime | None = None


class Version(NamedTuple):
    """A patch in its place in a log, and so a version of the data: the state after this patch.

    Attributes:
        id: its header `id`, a term.
        prev: its header `prev`: the version before; None where it has none.
        log_seq: its 0-based place in the log.
        time: when it was appended, in UTC: the modification time of its file. None where that is
            not known.
        file: the file, or the table, that holds it.
        patch: 0-based ordinal in its file.
    """

    id: str
    prev: str | None
    log_seq: int
    time: datetime | None
    file: str
    patch: int


class LogFinding(NamedTuple):
    """Something that is wrong with a log.

    Attributes:
        rule: the rule that is broken, in kebab case; those of the chain are as in
            `jelly_spark.patches.validate`.
        file: the file that has it.
        message: what is wrong, and what to do about it.
    """

    rule: str
    file: str
    message: str


def order(links: Iterable[Link]) -> list[Version]:
    """Return the patches in their order.

    The first may follow a patch that is not there: a log can begin after a snapshot.

    Raises:
        LogError: they do not make one chain; the message is that of the first finding.
    """
    links = list(links)
    for finding in broken_rules(links):
        raise LogError(finding.message)
    following = {link.prev: link for link in links}
    ids = {link.id for link in links}
    found: list[Version] = []
    link = next((link for link in links if link.prev not in ids), None)
    while link is not None:
        assert link.id is not None
        found.append(Version(link.id, link.prev, len(found), link.time, link.file, link.patch))
        link = following.get(link.id)
    return found


def broken_rules(links: Sequence[Link]) -> Iterator[LogFinding]:
    """Yield what keeps patches from making one chain."""
    by_id: dict[str, Link] = {}
    following: dict[str | None, Link] = {}
    for link in links:
        if link.id is None:
            message = f"{_place(link)} has no header id, so it has no place in the log"
            yield LogFinding("missing-id", link.file, message)
        elif link.id in by_id:
            message = (
                f"{_place(link)} and {_place(by_id[link.id])} have the same id, {link.id}: "
                "remove one of them"
            )
            yield LogFinding("duplicate-id", link.file, message)
        else:
            by_id[link.id] = link
            if link.prev in following:
                rule, follow = ("fork", f"follow {link.prev}")
                if link.prev is None:
                    rule, follow = ("missing-prev", "have no prev")
                other = following[link.prev]
                message = (
                    f"{_place(link)}, {link.id}, and {_place(other)}, {other.id}, both {follow}: "
                    "remove one of them, and what follows it"
                )
                yield LogFinding(rule, link.file, message)
            else:
                following[link.prev] = link
    firsts = [link for link in by_id.values() if link.prev not in by_id]
    if len(firsts) > 1:
        for link in firsts:
            if link.prev is not None and following[link.prev] is link:
                message = f"{_place(link)}, {link.id}, follows {link.prev}, which is not there"
                yield LogFinding("unknown-prev", link.file, message)
    reached = _reached(firsts, by_id.values())
    for id, link in by_id.items():
        if id not in reached:
            message = f"{_place(link)}, {id}, comes after itself by its prev, {link.prev}"
            yield LogFinding("prev-order", link.file, message)
            return


def _reached(firsts: Iterable[Link], links: Iterable[Link]) -> set[str | None]:
    """Return the ids of the patches that come after some patches, and theirs; forks included."""
    following: dict[str | None, list[Link]] = {}
    for link in links:
        following.setdefault(link.prev, []).append(link)
    reached = set()
    waiting = [*firsts]
    while waiting:
        link = waiting.pop()
        reached.add(link.id)
        waiting += following.get(link.id, ())
    return reached


def _place(link: Link) -> str:
    return link.file if link.patch == 0 else f"patch {link.patch} of {link.file}"


def check_id(headers: Headers) -> str:
    """Return the id of a patch that is appended.

    Raises:
        LogError: it has none.
    """
    if headers.id is None:
        raise LogError(
            "the patch has no header id, so it has no place in a log: begin it with "
            "PatchRow('H', name='id', value='<urn:uuid:…>')"
        )
    return headers.id


def conflict(headers: Headers, versions: Sequence[Version]) -> LogConflictError:
    """Return why a patch cannot be appended.

    Args:
        headers: those of the patch, which has an id.
        versions: the patches of the log.
    """
    winner = next((version.id for version in versions if version.prev == headers.prev), None)
    head = versions[-1].id if versions else None
    return LogConflictError(check_id(headers), headers.prev, winner, head)
