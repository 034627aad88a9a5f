"""The interface between a `Log` and the storage of its patches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar, NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.log.chain import LogFinding, Removed, Version, Versions
from jelly_spark.log.metrics import Counters
from jelly_spark.patches.log_rows import Headers


class Base(NamedTuple):
    """A state that later states are computed from.

    Attributes:
        place: the index of the version with the state; -1 for the state before the first patch.
        state: the statements, each once.
        prefixes: the prefixes.
    """

    place: int
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
    def versions(self) -> Versions:
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

    def has_snapshot(self, versions: Versions, place: int) -> bool:
        """Return whether there is an intact snapshot of a version; its files are read."""
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
    def append(self, patches: Iterable[Any], *, canonical: bool) -> Iterator[Version]:
        """Append patches, each when its version is asked for; see `Log.append_all`.

        Args:
            patches: the patches.
            canonical: whether all of them are canonical for the state before them.

        Raises:
            OptionError: they are, and the store cannot record that.
        """

    @abstractmethod
    def rows(self, versions: Sequence[Version]) -> Any:
        """Return the rows of consecutive patches."""

    @abstractmethod
    def first_rows(self, versions: Sequence[Version], limit: int) -> Iterator[PatchRow]:
        """Return the first rows of consecutive patches, in order, at most `limit`."""

    @abstractmethod
    def nothing(self) -> Base:
        """Return the empty state, before the first patch of a log that has all its patches."""

    def snapshot(self, versions: Versions, place: int) -> Base | None:
        """Return the last snapshot at or before a version.

        Args:
            versions: all versions of the log.
            place: the index of the version; -1 for the state before the first patch.

        Returns:
            None if there is no such snapshot, or the store has no snapshots.
        """
        return None

    def is_snapshot_due(self, versions: Versions, place: int) -> bool:
        """Return whether a snapshot of a version is worth its cost; see `Log.compact`.

        Args:
            versions: all versions of the log.
            place: the index of the version.
        """
        return True

    @abstractmethod
    def save(self, versions: Sequence[Version], state: Any, prefixes: Any) -> None:
        """Save the state of the last of the given versions as a snapshot.

        Args:
            versions: versions of the log, of which the last one is that of the snapshot.
            state: the statements.
            prefixes: the prefixes.

        Raises:
            OptionError: the store has no snapshots.
        """

    @abstractmethod
    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the log; see `Log.verify`."""

    def are_canonical(self, versions: Iterable[Version]) -> bool:
        """Return whether patches are known to be canonical for the state before them."""
        return False

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

    def changes(self, versions: Sequence[Version], state: Any) -> Any:
        """Return what consecutive patches change; see `Log.changes`.

        Args:
            versions: the patches.
            state: the statements before them; None if the patches are known to be canonical.
        """
        rows = self.rows(versions)
        return self.algebra.changes(rows, state, assume_canonical=state is None)

    def apply(self, base: Base, versions: Sequence[Version]) -> tuple[Any, Any]:
        """Return the statements and prefixes after consecutive patches, which follow a base."""
        state, prefixes = self.algebra.apply(
            base.state, self.rows(versions), prefixes=base.prefixes
        )
        return state, prefixes

    def squash(self, versions: Sequence[Version]) -> Any:
        """Return one patch with the net effect of consecutive patches."""
        return self.algebra.squash(self.rows(versions))

    @abstractmethod
    def history(
        self, versions: Sequence[Version], statement_filter: Any, state: Any, subject: str | None
    ) -> Any:
        """Return the intervals of consecutive patches, which follow a state; see `Log.history`.

        Args:
            versions: the patches.
            statement_filter: selects statements; None for all.
            state: the statements before the patches.
            subject: the subject of the statements, a canonical term; None for any.
        """
