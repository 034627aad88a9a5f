"""What is known about a patch of a log without reading it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, NewType

from jelly_spark.log.entries.packs import Pack
from jelly_spark.log.entries.subject_filters import hash_of, may_have

LONGEST_MESSAGE = 1000
"""How many characters a header `message` may have that is kept in the index, as a term."""

Position = NewType("Position", int)
"""The 0-based position of a patch in a log, and so of the state after it.

The state before the first patch has the position before that of the patch.
"""


class Entry(NamedTuple):
    """What is known about a patch of a log without reading it.

    Attributes:
        id: the header `id`; None if the patch has none, and so no position.
        prev: the header `prev`; None if the patch has none.
        committed: whether all its changes are known to take effect: no transaction is aborted or
            open.
        statements: whether it may have an `A` or `D` row.
        prefixes: whether it may have a `PA` or `PD` row.
        canonical: whether it was checked that each of its `A` and `D` rows is a change.
        subjects: a filter of the subjects of these rows, see `subject_filters`; None if there is
            none.
        message: the header `message`, a term of at most `LONGEST_MESSAGE` characters; None if there
            is none.
        size: the size of its file, in bytes.
        sha256: the SHA-256 of its file, in hex.
        time: when the patch was appended, in UTC; None if it is not known.
        file: the name of its file, or of its table.
        patch: the 0-based ordinal of the patch in its file; its `log_seq` in a table.
        position: the position of the patch in the log; 0 until it is known.
        pack: the pack to read the patch from, because its file may be gone; None for its file.
    """

    id: str | None
    prev: str | None
    committed: bool = False
    statements: bool = True
    prefixes: bool = True
    canonical: bool = False
    subjects: bytes | None = None
    message: str | None = None
    size: int = 0
    sha256: str = ""
    time: datetime | None = None
    file: str = ""
    patch: int = 0
    position: Position = Position(0)
    pack: Pack | None = None

    @property
    def source(self) -> str:
        """The name of the file from which the patch is read."""
        return self.file if self.pack is None else self.pack.file

    @property
    def ordinal(self) -> int:
        """The 0-based ordinal of the patch in this file."""
        return self.patch if self.pack is None else self.position - self.pack.first

    def may_have(self, subject_hash: int) -> bool:
        """Return whether the patch may have statements with the subject with a hash."""
        return self.statements and (self.subjects is None or may_have(self.subjects, subject_hash))

    def agrees_with(self, found: Entry) -> bool:
        """Return whether an entry of an index is true, given that of the patch just read.

        Only the index knows whether a patch is canonical, and an index may have no filter and no
        message.
        """
        return (
            self[:_FLAGS_END] == found[:_FLAGS_END]
            and self.subjects in (None, found.subjects)
            and self.message in (None, found.message)
        )

    def version(self) -> Version:
        """Return the patch as users see it."""
        assert self.id is not None
        return Version(
            *(self.id, self.prev, self.position, self.time, self.source, self.ordinal),
            message=self.message,
        )


_FLAGS_END = Entry._fields.index("canonical")
"""How many of the first fields say what `agrees_with` compares."""


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


def may_have_subject(subject: str, patches: Iterable[Entry]) -> list[Entry]:
    """Return those of some patches that may have statements with a subject, a canonical term.

    Those in packs are all returned: a pack has filters of its own.
    """
    hash = hash_of(subject)
    return [patch for patch in patches if patch.pack is not None or patch.may_have(hash)]


def file_sizes(patches: Iterable[Entry]) -> dict[str, int]:
    """Return the sizes of the files in which some patches were appended or adopted, by name."""
    return {patch.file: patch.size for patch in patches}
