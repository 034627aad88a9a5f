"""The errors of this package, all of them subclasses of `JellySparkError`.

Those about values (arguments, terms, rows, and the content of files) are `ValueError`s too.
"""

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
    "StoreError",
    "StoreRequestError",
    "UnwritableRowError",
]


class JellySparkError(Exception):
    """Base class of this package's errors."""


class OptionError(JellySparkError, ValueError):
    """An argument, or the name or value of an option, is not valid; the message says what is."""


class InvalidTermError(JellySparkError, ValueError):
    """A string is not an RDF term in N-Triples syntax; the message says where and why."""


class MissingPackageError(JellySparkError, ImportError):
    """A required package is not installed; the message says what to install."""


class MalformedInputError(JellySparkError, ValueError):
    """The input breaks its format.

        try:
            rows = list(codec.read("changes.jellyp"))
        except MalformedInputError as error:
            print(error.file, error.offset, error.hint)

    Attributes:
        file: the name of the file, or `<stream>` if the input has no name.
        place: where in the file the error is, such as `frame at byte 0, row 3`.
        offset: the byte offset in the input of the frame (of its length, if it has one), or of the
            row in a format without frames.
        row: the 0-based number of the row in its frame, counting lookup entries and options, or in
            its file in a format without frames. None if the error is not in a row, or if the row's
            number is not known because reading began within the file.
        expected: what the format requires.
        found: what the input holds.
        hint: advice, if the file looks like one of another format or like a compressed file; else
            None.
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


class _RowError(JellySparkError, ValueError):
    """An error about a row."""

    def __init__(self, rule: str, row: str | None = None) -> None:
        super().__init__(rule, row)
        self.rule = rule
        self.row = row

    def __str__(self) -> str:
        return self.rule if self.row is None else f"{self.rule}; in row {self.row}"


class UnwritableRowError(_RowError):
    """A row is not valid, breaks a rule of the format, or cannot be written with these options.

    Attributes:
        rule: the rule that the row breaks.
        row: the row as JSON, with long values cut; None if the rule is about the end of the input.
    """


class LogError(JellySparkError):
    """The patches of a log do not form one chain, or the log lacks the requested patch.

    It is also the error of a write that would damage a log.
    """


class LogConflictError(LogError):
    """A patch cannot be appended, because its `prev` is not the last patch of the log.

        try:
            log.append(patch)
        except LogConflictError as error:
            print(f"{error.winner} was appended first")

    Nothing was written. Compute the patch again from the log's current state, and append that.

    Attributes:
        id: the id of the patch that was not appended.
        prev: the `prev` of that patch; None if it has none.
        winner: the id of the patch of the log that has the same `prev`; None if there is none.
        head: the id of the log's last patch; None if the log is empty.
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


class PatchError(_RowError):
    """Patch algebra cannot use a patch: it is not canonical, or has an open transaction.

    Attributes:
        rule: the rule that the patch breaks.
        row: the first row that breaks it, as JSON, with long values cut.
    """

    row: str


class StoreError(JellySparkError):
    """A log cannot be pushed to a triple store, or pulled from a server, which has another log."""


class StoreRequestError(StoreError):
    """A triple store or another server cannot be reached, or answered a request with an error.

    Attributes:
        message: what went wrong, and what to do about it.
        url: the URL of the request.
        status: the status code of HTTP; None if there was no answer.
        is_transient: whether the same request may succeed later.
        retry_after: how long the server asks to wait, in seconds; None if it does not.
    """

    def __init__(
        self,
        message: str,
        url: str,
        status: int | None,
        is_transient: bool,
        retry_after: float | None,
    ) -> None:
        super().__init__(message, url, status, is_transient, retry_after)
        self.message = message
        self.url = url
        self.status = status
        self.is_transient = is_transient
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.message


class SessionError(JellySparkError):
    """Base class of the errors that say why the JVM's code cannot be called."""


class NoSessionError(SessionError):
    """There is no active Spark session."""


class SparkConnectError(SessionError):
    """The session is one of Spark Connect, which gives no access to the JVM."""


class JarMissingError(SessionError):
    """The jar of this package does not exist, or the session does not have it."""


class JarVersionError(SessionError):
    """The session's jar and this package have different versions."""


class SparkVersionError(SessionError):
    """PySpark is older than version 4.0, the oldest that the jar works with."""
