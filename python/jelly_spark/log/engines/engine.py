"""The interface of an engine, which computes rows and states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.log.engines.drafts import Draft, Wanted
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.view import LogView
from jelly_spark.log.upkeep.snapshots import Prefix, Snapshot
from jelly_spark.patches.log_rows import Headers


class Base(NamedTuple):
    """A state that later states are computed from.

    Attributes:
        position: the position of the state.
        state: the statements, each once.
        prefixes: the prefixes.
    """

    position: Position
    state: Any
    prefixes: Any


class Engine(ABC):
    """Computes the rows and states of a log.

    Rows, states and prefixes have the types of the algebra: DataFrames, or Python collections.
    Patches to read are consecutive ones of a view.

    Attributes:
        algebra: `jelly_spark.algebra` or `jelly_spark.patches`, whose functions have the same names
            and arguments.
    """

    algebra: ClassVar[Any]

    @abstractmethod
    def rows(self, view: LogView, patches: Sequence[Entry]) -> Any:
        """Return the rows of patches."""

    @abstractmethod
    def first_rows(self, view: LogView, patches: Sequence[Entry], limit: int) -> Iterator[PatchRow]:
        """Return the first rows of patches, in order, at most `limit`."""

    @abstractmethod
    def nothing(self, position: Position) -> Base:
        """Return the empty state, before the first patch of a log that has all its patches."""

    @abstractmethod
    def prepare(self, patch: Any) -> Any:
        """Return the rows of a patch that is to be appended as the algebra takes them."""

    @abstractmethod
    def headers(self, patch: Any) -> Headers:
        """Return the headers of a patch that is to be appended."""

    @abstractmethod
    def with_headers(self, patch: Any, headers: Headers) -> Any:
        """Return the rows of a patch from `prepare` with these headers first, in place of its own.

        Its other headers stay.
        """

    @abstractmethod
    def given(self, state: Any, known: Any, skolem_base: str) -> Any:
        """Return the statements of a state that is to be committed; see `Log.commit`.

        Args:
            state: the state.
            known: statements of which it may have many, those of the last version.
            skolem_base: the beginning of IRIs that stand for blank nodes.
        """

    @abstractmethod
    def draft(
        self, before: Any, prefixes: Any, prev: str | None, wanted: Wanted
    ) -> AbstractContextManager[Draft | None]:
        """Return the canonical patch from the last version to a state; None if they are equal.

        Args:
            before: the statements of the last version.
            prefixes: the prefixes of the last version.
            prev: the id of the last version; None for an empty log.
            wanted: the state.
        """

    def changes(self, view: LogView, patches: Sequence[Entry], state: Any) -> Any:
        """Return what patches change; see `Log.changes`.

        Args:
            view: the patches of the log.
            patches: the patches.
            state: the statements before them; None if the patches are known to be canonical.
        """
        rows = self.rows(view, patches)
        return self.algebra.changes(rows, state, assume_canonical=state is None)

    def apply(self, view: LogView, base: Base, patches: Sequence[Entry]) -> tuple[Any, Any]:
        """Return the statements and prefixes after patches, which follow a base."""
        rows = self.rows(view, patches)
        state, prefixes = self.algebra.apply(base.state, rows, prefixes=base.prefixes)
        return state, prefixes

    def state(self, view: LogView, base: Base, patches: Sequence[Entry]) -> Any:
        """Return the statements after patches, which follow a base."""
        return self.apply(view, base, patches)[0]

    def prefixes(self, view: LogView, base: Base, patches: Sequence[Entry]) -> Any:
        """Return the prefixes after patches, which follow a base.

        Only patches that may change prefixes are read.
        """
        return self.apply(view, base, [patch for patch in patches if patch.prefixes])[1]

    def squash(self, view: LogView, patches: Sequence[Entry]) -> Any:
        """Return one patch with the net effect of patches."""
        return self.algebra.squash(self.rows(view, patches))

    @abstractmethod
    def history(
        self,
        view: LogView,
        patches: Sequence[Entry],
        statement_filter: Any,
        state: Any,
        subject: str | None,
    ) -> Any:
        """Return the intervals of patches, which follow a state; see `Log.history`.

        Args:
            view: the patches of the log.
            patches: the patches.
            statement_filter: selects statements; None for all.
            state: the statements before the patches.
            subject: the subject of the statements, a canonical term; None for any.
        """


class FolderEngine(Engine):
    """An engine for folders, which writes and reads files in them."""

    @abstractmethod
    def write(self, patch: Any, path: Path) -> Entry:
        """Write a patch to a local file, in the format `FORMAT`, and return what it has."""

    @abstractmethod
    def write_state(
        self, folder: str, state: Any, prefixes: Any
    ) -> tuple[list[Prefix], dict[str, str]]:
        """Write a state to a folder of Jelly-RDF files, for a snapshot.

        Returns:
            The prefixes; and the SHA-256 in hex of those files for which it is known, by name.
        """

    @abstractmethod
    def read_snapshot(self, snapshot: Snapshot, *, has_state: bool) -> Base | None:
        """Return the state of a snapshot; None if it cannot be read, after a warning.

        Args:
            snapshot: the snapshot.
            has_state: whether the statements are needed, and not only the prefixes.
        """

    @abstractmethod
    def first_state(self, view: LogView, first: Entry) -> Base:
        """Return the state after a first patch; see `LogView.canonical_first`."""
