"""The errors of this package: all derive from `JellySparkError`."""

from __future__ import annotations

__all__ = [
    "InvalidTermError",
    "JarMissingError",
    "JarVersionError",
    "JellySparkError",
    "LogConflictError",
    "LogError",
    "MalformedInputError",
    "MissingPackageError",
    "NoSessionError",
    "OptionError",
    "PatchError",
    "SessionError",
    "SparkConnectError",
    "SparkVersionError",
    "UnwritableRowError",
]


class JellySparkError(Exception):
    """Base class of every error that this package raises on purpose."""


class OptionError(JellySparkError):
    """An option's name or value is wrong; the message lists the valid ones."""


class InvalidTermError(JellySparkError):
    """A string is not an RDF term in N-Triples syntax; the message says where and why."""


class MissingPackageError(JellySparkError, ImportError):
    """A package is not installed that this file or URL needs; the message says what to install."""


class MalformedInputError(JellySparkError):
    """Input that breaks its format.

        try:
            rows = list(codec.read("changes.jellyp"))
        except MalformedInputError as error:
            print(error.file, error.offset, error.hint)

    Attributes:
        file: name of the file, or `<stream>` where the input has no name.
        place: where in the file the error is, as text.
        offset: byte offset of the frame in the input (of its length, if frames have one), in a
            format without frames of the row.
        row: 0-based number of the row in its frame, lookup entries and options included; in a
            format without frames, of the row in its file. None where no row is broken, but its
            frame.
        expected: what the format asks for.
        found: what the input holds.
        hint: what the file looks like, and what to do, where it looks like one of another format,
            or like a compressed one; else None.
    """

    def __init__(
        self,
        file: str,
        place: str,
        offset: int,
        row: int | None,
        expected: str,
        found: str,
        hint: str | None = None,
    ) -> None:
        super().__init__(file, place, offset, row, expected, found, hint)
        self.file = file
        self.place = place
        self.offset = offset
        self.row = row
        self.expected = expected
        self.found = found
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.file}: {self.place}: expected {self.expected}, found {self.found}"
        return text if self.hint is None else f"{text} ({self.hint})"


class UnwritableRowError(JellySparkError):
    """A row that no stream with these options can hold, or that breaks a rule of the format.

    Attributes:
        rule: the rule that the row breaks.
        row: the row's content; None where the rule is about the end of the input.
    """

    def __init__(self, rule: str, row: str | None = None) -> None:
        super().__init__(rule, row)
        self.rule = rule
        self.row = row

    def __str__(self) -> str:
        return self.rule if self.row is None else f"{self.rule}; in row {self.row}"


class LogError(JellySparkError):
    """The patches of a log do not make one chain, or the log has no such patch."""


class LogConflictError(LogError):
    """A patch cannot be appended, because its `prev` is not the last patch of the log.

        try:
            log.append(patch)
        except LogConflictError as error:
            print(f"{error.winner} was appended first")

    Nothing was written. Make the patch again, from the state that the log has now, and append that.

    Attributes:
        id: of the patch that was not appended.
        prev: of that patch; None where it has none.
        winner: id of the patch of the log that follows `prev`; None where the log has no patch
            `prev`.
        head: id of the log's last patch; None where the log is empty.
    """

    def __init__(self, id: str, prev: str | None, winner: str | None, head: str | None) -> None:
        super().__init__(id, prev, winner, head)
        self.id = id
        self.prev = prev
        self.winner = winner
        self.head = head

    def __str__(self) -> str:
        follows = "has no prev" if self.prev is None else f"follows {self.prev}"
        follower = "no patch of the log" if self.winner is None else self.winner
        after = "begins the log" if self.prev is None else f"follows {self.prev}"
        end = "is empty" if self.head is None else f"ends with {self.head}"
        return (
            f"{self.id} cannot be appended: it {follows}, but the log {end}; "
            f"{follower} {after}. Make the patch from the log's last version again"
        )


class PatchError(JellySparkError):
    """A patch that patch algebra cannot take: with an open transaction, or not to be inverted.

    Attributes:
        rule: the rule that the patch breaks.
        row: the content of the first row that breaks it.
    """

    def __init__(self, rule: str, row: str) -> None:
        super().__init__(rule, row)
        self.rule = rule
        self.row = row

    def __str__(self) -> str:
        return f"{self.rule}; in row {self.row}"


class SessionError(JellySparkError):
    """Base class of the errors that say why the JVM's part cannot be reached."""


class NoSessionError(SessionError):
    """There is no active Spark session."""


class SparkConnectError(SessionError):
    """The session is one of Spark Connect, from which no JVM can be reached."""


class JarMissingError(SessionError):
    """The jar of this package is not there, or not on the session."""


class JarVersionError(SessionError):
    """The jar on the session is of another version than this package."""


class SparkVersionError(SessionError):
    """PySpark is older than the versions that the jar works with."""
