"""The errors of this package: all derive from `JellySparkError`."""

from __future__ import annotations

__all__ = [
    "InvalidTermError",
    "JarMissingError",
    "JarVersionError",
    "JellySparkError",
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
