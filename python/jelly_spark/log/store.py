"""The interface between a `Log` and the storage of its patches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar, NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.log.chain import LogFinding, Removed
from jelly_spark.log.entry import Entry, Position
from jelly_spark.log.metrics import Counters
from jelly_spark.log.view import LogView
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


class Store(ABC):
    """The storage of the patches of a log.

    Rows, states and prefixes have the types of the algebra: DataFrames, or Python collections.

    Attributes:
        algebra: `jelly_spark.algebra` or `jelly_spark.patches`, whose functions have the same names
            and arguments.
        counters: what was done with the log.
    """

    algebra: ClassVar[Any]

    counters: Counters

    @abstractmethod
    def view(self) -> LogView:
        """Return the patches in the order of their chain.

        Raises:
            LogError: the patches do not form one chain.
        """

    def adopt(self) -> int:
        """Make a folder a managed log; see `Log.adopt`.

        Raises:
            OptionError: the store is not a folder.
        """
        raise OptionError("a log in a Delta table has no files of others to adopt: append them")

    def has_snapshot(self, position: Position) -> bool:
        """Return whether there is an intact snapshot of a state; its files are read."""
        return False

    def expire(self, begin: int) -> bool:
        """Make a position that of the first patch; return False if it is too late for that.

        Raises:
            OptionError: the store is not a managed log.
        """
        raise OptionError(
            "the patches of a log in a Delta table do not expire: write log.state_at() to a table"
        )

    def optimize(
        self, target_size: int, index_columns: str, compression: str | None, *, dry_run: bool
    ) -> list[range]:
        """Pack small files of patches into larger ones; see `Log.optimize`.

        Raises:
            OptionError: the store is not a managed log.
        """
        raise OptionError("a log in a Delta table has no files of its own: run Delta's OPTIMIZE")

    def vacuum(self, retention: timedelta, *, dry_run: bool) -> Removed:
        """Remove what is no longer needed; see `Log.vacuum`.

        Raises:
            OptionError: the store is not a managed log.
        """
        raise OptionError("a log in a Delta table has no files of its own: run Delta's VACUUM")

    @abstractmethod
    def append(self, patches: Iterable[Any], *, canonical: bool) -> Iterator[Entry]:
        """Append patches, each when its entry is asked for; see `Log.append_all`.

        Args:
            patches: the patches.
            canonical: whether all of them are canonical for the state before them.

        Raises:
            OptionError: they are, and the store cannot record that.
        """

    @abstractmethod
    def rows(self, patches: Sequence[Entry]) -> Any:
        """Return the rows of consecutive patches."""

    @abstractmethod
    def first_rows(self, patches: Sequence[Entry], limit: int) -> Iterator[PatchRow]:
        """Return the first rows of consecutive patches, in order, at most `limit`."""

    @abstractmethod
    def nothing(self, position: Position) -> Base:
        """Return the empty state, before the first patch of a log that has all its patches."""

    def snapshot(self, position: Position, *, has_state: bool = True) -> Base | None:
        """Return the last snapshot of a state, or of one before it.

        Args:
            position: the position of the state.
            has_state: whether the statements are needed, and not only the prefixes.

        Returns:
            None if there is no such snapshot, or the store has no snapshots.
        """
        return None

    def is_snapshot_due(self, view: LogView, position: Position) -> bool:
        """Return whether a snapshot of a state is worth its cost; see `Log.compact`."""
        return True

    @abstractmethod
    def save(self, position: Position, state: Any, prefixes: Any) -> None:
        """Save a state as a snapshot.

        Raises:
            OptionError: the store has no snapshots.
        """

    @abstractmethod
    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the log; see `Log.verify`."""

    @abstractmethod
    def prepare(self, patch: Any) -> Any:
        """Return the rows of a patch that is to be appended as the store's algebra takes them."""

    @abstractmethod
    def headers(self, patch: Any) -> Headers:
        """Return the headers of a patch that is to be appended."""

    @abstractmethod
    def with_headers(self, patch: Any, headers: Headers) -> Any:
        """Return the rows of a patch from `prepare` with these headers first, in place of its own.

        Its other headers stay.
        """

    def changes(self, patches: Sequence[Entry], state: Any) -> Any:
        """Return what consecutive patches change; see `Log.changes`.

        Args:
            patches: the patches.
            state: the statements before them; None if the patches are known to be canonical.
        """
        rows = self.rows(patches)
        return self.algebra.changes(rows, state, assume_canonical=state is None)

    def apply(self, base: Base, patches: Sequence[Entry]) -> tuple[Any, Any]:
        """Return the statements and prefixes after consecutive patches, which follow a base."""
        rows = self.rows(patches)
        state, prefixes = self.algebra.apply(base.state, rows, prefixes=base.prefixes)
        return state, prefixes

    def state(self, base: Base, patches: Sequence[Entry]) -> Any:
        """Return the statements after consecutive patches, which follow a base."""
        return self.apply(base, patches)[0]

    def prefixes(self, base: Base, patches: Sequence[Entry]) -> Any:
        """Return the prefixes after consecutive patches, which follow a base.

        Only patches that may change prefixes are read.
        """
        return self.apply(base, [patch for patch in patches if patch.prefixes])[1]

    def squash(self, patches: Sequence[Entry]) -> Any:
        """Return one patch with the net effect of consecutive patches."""
        return self.algebra.squash(self.rows(patches))

    @abstractmethod
    def history(
        self, patches: Sequence[Entry], statement_filter: Any, state: Any, subject: str | None
    ) -> Any:
        """Return the intervals of consecutive patches, which follow a state; see `Log.history`.

        Args:
            patches: the patches.
            statement_filter: selects statements; None for all.
            state: the statements before the patches.
            subject: the subject of the statements, a canonical term; None for any.
        """
