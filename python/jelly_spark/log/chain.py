"""The chain of a log: its patches in the order of their headers `id` and `prev`."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, overload

from jelly_spark.errors import LogConflictError, LogError
from jelly_spark.log.subject_filters import may_have
from jelly_spark.patches.log_rows import Headers

LONGEST_MESSAGE = 1000
"""How many characters a header `message` may have that is kept in the index, as a term."""

_ASSIGN_IDS = "assign_ids=True, or `jelly-spark log append --assign-ids`"


class Summary(NamedTuple):
    """A summary of a patch, kept in the index so that queries need not read the patch for it.

    Attributes:
        headers: the headers `id` and `prev`.
        committed: whether all its changes take effect: no transaction is aborted or open.
        statements: whether it has an `A` or `D` row.
        prefixes: whether it has a `PA` or `PD` row.
        canonical: whether it was checked that each of its `A` and `D` rows is a change.
        subjects: a filter of the subjects of these rows, see `subject_filters`; None if there is
            none.
        message: the header `message`, a term of at most `LONGEST_MESSAGE` characters; None if there
            is none.
    """

    headers: Headers
    committed: bool
    statements: bool
    prefixes: bool
    canonical: bool = False
    subjects: bytes | None = None
    message: str | None = None

    def may_have(self, subject_hash: int) -> bool:
        """Return whether the patch may have statements with the subject with a hash."""
        return self.statements and (self.subjects is None or may_have(self.subjects, subject_hash))

    def agrees_with(self, found: Summary) -> bool:
        """Return whether the summary in an index is true, given that of the patch just read.

        Only the index knows whether a patch is canonical, and an index may have no filter and no
        message.
        """
        known = self._replace(canonical=False, subjects=found.subjects, message=found.message)
        return (
            known == found
            and self.subjects in (None, found.subjects)
            and self.message in (None, found.message)
        )


class Link(NamedTuple):
    """A patch as a link of the chain, before the order of the patches is known: see `Version`."""

    id: str | None
    prev: str | None
    file: str
    patch: int
    time: datetime | None = None
    message: str | None = None


class Version(NamedTuple):
    """A patch at its position in a log, and so a version of the data: the state after this patch.

    Attributes:
        id: the header `id`, a term.
        prev: the header `prev`, the `id` of the version before; None if the patch has none.
        log_seq: the 0-based position of the patch in the log.
        time: when the patch was appended, or the time that it was committed with, in UTC; in a
            folder that is not a managed log, the modification time of its file; None if it is not
            known.
        file: the file or table that holds the patch.
        patch: the 0-based ordinal of the patch in its file; its `log_seq` in a table.
        message: the header `message`, a term; None if the patch has none, or one of more than 1,000
            characters.
    """

    id: str
    prev: str | None
    log_seq: int
    time: datetime | None
    file: str
    patch: int
    message: str | None = None


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


def order(links: Iterable[Link]) -> list[Version]:
    """Return the patches in the order of their chain.

    The `prev` of the first patch may name a patch that is missing: a log can begin after a
    snapshot.

    Raises:
        LogError: the patches do not form one chain; the message is that of the first finding.
    """
    links = list(links)
    for finding in broken_rules(links):
        raise LogError(finding.message)
    versions = []
    for place, link in enumerate(_in_chain_order(links)):
        assert link.id is not None
        versions.append(
            Version(link.id, link.prev, place, link.time, link.file, link.patch, link.message)
        )
    return versions


def broken_rules(links: Sequence[Link]) -> Iterator[LogFinding]:
    """Yield findings for what prevents the patches from forming one chain."""
    by_id: dict[str, Link] = {}
    following: dict[str | None, Link] = {}
    for link in links:
        if link.id is None:
            message = (
                f"{_place(link)} has no header id, so it has no place in the log: append it to "
                f"another log with {_ASSIGN_IDS}"
            )
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
                message = f"{_place(link)}, {link.id}, follows {link.prev}, which is missing"
                yield LogFinding("unknown-prev", link.file, message)
    reached = {link.id for link in _in_chain_order([*by_id.values()])}
    for id, link in by_id.items():
        if id not in reached:
            message = f"{_place(link)}, {id}, is in a cycle or follows one: its prev is {link.prev}"
            yield LogFinding("prev-order", link.file, message)
            return


def files_in_order(links: Iterable[Link]) -> list[str]:
    """Return the files in the order of their first patches, also if there is not one chain.

    Patches in a cycle, and those that follow one, come last.
    """
    links = list(links)
    return [*dict.fromkeys(link.file for link in (*_in_chain_order(links), *links))]


def _in_chain_order(links: Sequence[Link]) -> Iterator[Link]:
    """Yield each patch after the one that it follows; of a fork, one branch after the other.

    Patches in a cycle, and those that follow one, are left out.
    """
    ids = {link.id for link in links if link.id is not None}
    following: dict[str | None, list[Link]] = {}
    for link in links:
        following.setdefault(link.prev, []).append(link)
    # A stack, so the first one is the last.
    waiting = [link for link in reversed(links) if link.prev not in ids]
    done: set[str] = set()
    while waiting:
        link = waiting.pop()
        yield link
        if link.id is not None and link.id not in done:
            done.add(link.id)
            waiting += reversed(following.get(link.id, ()))


def _place(link: Link) -> str:
    return link.file if link.patch == 0 else f"patch {link.patch} of {link.file}"


def new_id() -> str:
    """Return a new id for a patch, a `urn:uuid`."""
    return f"<{uuid.uuid4().urn}>"


def check_id(headers: Headers) -> str:
    """Return the id of a patch that is to be appended.

    Raises:
        LogError: the patch has no id.
    """
    if headers.id is None:
        raise LogError(
            "the patch has no header id, so it has no place in a log: begin it with "
            f"PatchRow('H', name='id', value='<urn:uuid:…>'), or append it with {_ASSIGN_IDS}"
        )
    return headers.id


def conflict(headers: Headers, winner: str | None, head: str | None) -> LogConflictError:
    """Return the error for a patch that cannot be appended because of its `prev`.

    Args:
        headers: the headers of the patch.
        winner: the id of the patch of the log with the same `prev`, if there is one.
        head: the id of the last patch of the log, if there is one.
    """
    return LogConflictError(check_id(headers), headers.prev, winner, head)


class Versions(Sequence[Version]):
    """The versions of a log in order. The position in the log of the first one may not be 0."""

    def __init__(self, found: Sequence[Version]) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, at: int) -> Version: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Version]: ...

    def __getitem__(self, at: int | slice) -> Version | Sequence[Version]:
        return self._found[at]

    @property
    def head(self) -> str | None:
        """The id of the last version; None if there is none."""
        return self[-1].id if self else None

    @property
    def first(self) -> int:
        """The position in the log of the first version; 0 if there is none."""
        return self[0].log_seq if self else 0

    @property
    def before(self) -> str | None:
        """The `prev` of the first patch; None if the log is empty or has all its patches."""
        return self[0].prev if self else None

    def find(self, id: str | None) -> int | None:
        """Return the index of the last version with an id; None if there is none."""
        return next((at for at in reversed(range(len(self))) if self[at].id == id), None)

    def at_time(self, time: datetime) -> int:
        """Return the index of the last version appended up to a time; -1 if there is none.

        Raises:
            LogError: this is not known.
        """
        places = (at for at in reversed(range(len(self))) if _is_until(self[at], time))
        at = next(places, -1)
        if at + 1 < len(self) and self[at + 1].time is None:
            raise LogError(
                f"the time of {self[at + 1].id} is not known, so neither is the version at "
                f"{time.isoformat()}: name the version by the id of its patch"
            )
        return at


def _is_until(version: Version, time: datetime) -> bool:
    return version.time is not None and version.time <= time
