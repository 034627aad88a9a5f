"""The chain of a log: its patches in the order of their headers `id` and `prev`."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jelly_spark.errors import LogConflictError, LogError
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.patches.links import Links
from jelly_spark.patches.log_rows import Headers

_ASSIGN_IDS = "assign_ids=True, or `jelly-spark log append --assign-ids`"


class Removed(list[str]):
    """The names of the files and folders that `Log.vacuum` has removed, or would remove.

    Attributes:
        retained: those that the log has not needed for less than the retention time.
        maybe_written: those that a running program may still write. They stay for a day, or while
            the program writes a temporary file.
    """

    def __init__(
        self, names: Iterable[str], retained: Iterable[str], maybe_written: Iterable[str]
    ) -> None:
        super().__init__(names)
        self.retained = [*retained]
        self.maybe_written = [*maybe_written]


class LogFinding(NamedTuple):
    """A problem that `Log.verify` found.

    Attributes:
        rule: the name of the broken rule, in kebab case; rules about the chain have the same names
            as in `jelly_spark.patches.validate`.
        file: the file or table with the problem.
        message: what is wrong and, if possible, what to do about it.
    """

    rule: str
    file: str
    message: str


def order(patches: Iterable[Entry]) -> list[Entry]:
    """Return the patches in the order of their chain, with their positions.

    The `prev` of the first patch may name a patch that is missing: a log can begin after a
    snapshot.

    Raises:
        LogError: the patches do not form one chain; the message is that of the first finding.
    """
    found = [*patches]
    for finding in broken_rules(found):
        raise LogError(finding.message)
    in_order = enumerate(_in_chain_order(found))
    return [patch._replace(position=Position(position)) for position, patch in in_order]


def broken_rules(patches: Sequence[Entry]) -> Iterator[LogFinding]:
    """Yield findings for what prevents the patches from forming one chain."""
    # Of the patches that have an id of their own.
    links, forks = Links(), set[int]()
    for place, patch in enumerate(patches):
        if patch.id is None:
            message = (
                f"{_name_of(patch)} has no header id, so it has no place in the log: append it to "
                f"another log with {_ASSIGN_IDS}"
            )
            yield LogFinding("missing-id", patch.file, message)
        elif patch.id in links.places:
            other = patches[links.places[patch.id]]
            message = (
                f"{_name_of(patch)} and {_name_of(other)} have the same id, {patch.id}: remove one "
                "of them"
            )
            yield LogFinding("duplicate-id", patch.file, message)
        elif (sibling := links.add(place, patch.id, patch.prev).sibling) is not None:
            forks.add(place)
            rule, follow = ("fork", f"follow {patch.prev}")
            if patch.prev is None:
                rule, follow = ("missing-prev", "have no prev")
            other = patches[sibling]
            message = (
                f"{_name_of(patch)}, {patch.id}, and {_name_of(other)}, {other.id}, both {follow}: "
                "remove one of them, and what follows it"
            )
            yield LogFinding(rule, patch.file, message)
    by_id = {id: patches[place] for id, place in links.places.items()}
    firsts = [place for place in links.places.values() if patches[place].prev not in by_id]
    if len(firsts) > 1:
        for place in firsts:
            patch = patches[place]
            if patch.prev is not None and place not in forks:
                message = f"{_name_of(patch)}, {patch.id}, follows {patch.prev}, which is missing"
                yield LogFinding("unknown-prev", patch.file, message)
    reached = {patch.id for patch in _in_chain_order([*by_id.values()])}
    for id, patch in by_id.items():
        if id not in reached:
            message = (
                f"{_name_of(patch)}, {id}, is in a cycle or follows one: its prev is {patch.prev}"
            )
            yield LogFinding("prev-order", patch.file, message)
            return


def files_in_order(patches: Iterable[Entry]) -> list[str]:
    """Return the files in the order of their first patches, also if there is not one chain.

    Patches in a cycle, and those that follow one, come last.
    """
    patches = list(patches)
    return [*dict.fromkeys(patch.file for patch in (*_in_chain_order(patches), *patches))]


def _in_chain_order(patches: Sequence[Entry]) -> Iterator[Entry]:
    """Yield each patch after the one that it follows; of a fork, one branch after the other.

    Patches in a cycle, and those that follow one, are left out.
    """
    ids = {patch.id for patch in patches if patch.id is not None}
    following: dict[str | None, list[Entry]] = {}
    for patch in patches:
        following.setdefault(patch.prev, []).append(patch)
    # A stack, so the first one is the last.
    waiting = [patch for patch in reversed(patches) if patch.prev not in ids]
    done: set[str] = set()
    while waiting:
        patch = waiting.pop()
        yield patch
        if patch.id is not None and patch.id not in done:
            done.add(patch.id)
            waiting += reversed(following.get(patch.id, ()))


def _name_of(patch: Entry) -> str:
    return patch.file if patch.patch == 0 else f"patch {patch.patch} of {patch.file}"


def new_id() -> str:
    """Return a new id for a patch, a `urn:uuid`."""
    return f"<{uuid.uuid4().urn}>"


def check_id(patch: Headers | Entry) -> str:
    """Return the id of a patch that is to be appended.

    Raises:
        LogError: the patch has no id.
    """
    if patch.id is None:
        raise LogError(
            "the patch has no header id, so it has no place in a log: begin it with "
            f"PatchRow('H', name='id', value='<urn:uuid:…>'), or append it with {_ASSIGN_IDS}"
        )
    return patch.id


def conflict(patch: Headers | Entry, winner: str | None, head: str | None) -> LogConflictError:
    """Return the error for a patch that cannot be appended because of its `prev`.

    Args:
        patch: the patch, or its headers.
        winner: the id of the patch of the log with the same `prev`, if there is one.
        head: the id of the last patch of the log, if there is one.
    """
    return LogConflictError(check_id(patch), patch.prev, winner, head)
