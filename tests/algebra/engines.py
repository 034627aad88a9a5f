"""The engines of patch algebra, with one face: plain objects in and out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from jelly_spark import patches
from jelly_spark.codec import PatchRow
from jelly_spark.errors import PatchError
from jelly_spark.patches import Change, Finding, Interval, LanguageTags, Statement

StatementTuple: TypeAlias = tuple[str, str, str, str | None]
State: TypeAlias = Iterable[StatementTuple]
Prefixes: TypeAlias = dict[tuple[str | None, str], str]
Log: TypeAlias = list[PatchRow]
OnOpen: TypeAlias = Literal["error", "ignore"]


class Applied(NamedTuple):
    """A state."""

    statements: set[Statement]
    prefixes: Prefixes


class Engine(Protocol):
    """The functions of patch algebra; a log has the rows of one file.

    Rows of `changes`, `history` and findings come in the order that plain Python gives them.
    """

    error: type[Exception]
    """What an engine raises for patches that it cannot take; its text has the rule."""

    def diff(
        self,
        before: State,
        after: State,
        *,
        id: str | None = None,
        prev: str | None = None,
        prefixes: tuple[Prefixes, Prefixes] | None = None,
        language_tags: LanguageTags = "exact",
    ) -> Log: ...

    def apply(
        self,
        state: State,
        log: Log,
        *,
        prefixes: Prefixes | None = None,
        on_open: OnOpen = "error",
        language_tags: LanguageTags = "exact",
    ) -> Applied: ...

    def apply_strict(
        self, state: State, log: Log, *, language_tags: LanguageTags = "exact"
    ) -> list[Finding]:
        """The findings of `apply` with `strict`."""
        ...

    def apply_files(self, state: State, files: list[Log]) -> Applied:
        """Apply a log that is in several files, each with ordinals of its own."""
        ...

    def state(self, log: Log) -> Applied: ...

    def changes(
        self,
        log: Log,
        state: State | None = None,
        *,
        on_open: OnOpen = "error",
        assume_canonical: bool = False,
        language_tags: LanguageTags = "exact",
    ) -> list[Change]: ...

    def check_canonical(self, log: Log, state: State | None = None) -> Log: ...

    def history(
        self,
        log: Log,
        subject: str | None = None,
        state: State | None = None,
        *,
        language_tags: LanguageTags = "exact",
    ) -> list[Interval]:
        """The intervals of the statements with a subject, or of all."""
        ...

    def squash(
        self,
        log: Log,
        state: State | None = None,
        *,
        on_open: OnOpen = "error",
        language_tags: LanguageTags = "exact",
        id: str | None = None,
    ) -> Log: ...

    def invert(self, patch: Log, *, assume_canonical: bool = False) -> Log: ...

    def concat(self, *logs: Log) -> Log: ...

    def split(
        self,
        log: Log,
        by: Literal["transaction", "patch"] | int,
        *,
        on_open: OnOpen = "error",
    ) -> Log: ...

    def validate(self, log: Log, state: State | None = None) -> list[Finding]: ...


class PythonEngine:
    """`jelly_spark.patches`."""

    error: type[Exception] = PatchError

    def diff(self, before: State, after: State, **options: Any) -> Log:
        return patches.diff(before, after, **options)

    def apply(
        self,
        state: State,
        log: Log,
        *,
        prefixes: Prefixes | None = None,
        on_open: OnOpen = "error",
        language_tags: LanguageTags = "exact",
    ) -> Applied:
        found = patches.apply(
            state, log, prefixes=prefixes, on_open=on_open, language_tags=language_tags
        )
        return Applied(*found)

    def apply_strict(
        self, state: State, log: Log, *, language_tags: LanguageTags = "exact"
    ) -> list[Finding]:
        return patches.apply(state, log, strict=True, language_tags=language_tags)[2]

    def apply_files(self, state: State, files: list[Log]) -> Applied:
        return Applied(*patches.apply(state, chain.from_iterable(files)))

    def state(self, log: Log) -> Applied:
        return Applied(*patches.state(log))

    def changes(
        self,
        log: Log,
        state: State | None = None,
        *,
        on_open: OnOpen = "error",
        assume_canonical: bool = False,
        language_tags: LanguageTags = "exact",
    ) -> list[Change]:
        options: dict[str, Any] = {"on_open": on_open, "assume_canonical": assume_canonical}
        return [*patches.changes(log, state, language_tags=language_tags, **options)]

    def check_canonical(self, log: Log, state: State | None = None) -> Log:
        return patches.check_canonical(log, state)

    def history(
        self,
        log: Log,
        subject: str | None = None,
        state: State | None = None,
        *,
        language_tags: LanguageTags = "exact",
    ) -> list[Interval]:
        followed: Callable[[Statement], bool] | None = None
        if subject is not None:
            followed = lambda statement: statement.subject == subject  # noqa: E731
        return patches.history(log, followed, state, language_tags=language_tags)

    def squash(
        self,
        log: Log,
        state: State | None = None,
        *,
        on_open: OnOpen = "error",
        language_tags: LanguageTags = "exact",
        id: str | None = None,
    ) -> Log:
        return patches.squash(log, state, on_open=on_open, language_tags=language_tags, id=id)

    def invert(self, patch: Log, *, assume_canonical: bool = False) -> Log:
        return patches.invert(patch, assume_canonical=assume_canonical)

    def concat(self, *logs: Log) -> Log:
        return [*patches.concat(*logs)]

    def split(
        self,
        log: Log,
        by: Literal["transaction", "patch"] | int,
        *,
        on_open: OnOpen = "error",
    ) -> Log:
        return [*patches.split(log, by, on_open=on_open)]

    def validate(self, log: Log, state: State | None = None) -> list[Finding]:
        return patches.validate(log, state)
