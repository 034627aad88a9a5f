"""What a `Log` needs of the place where its patches are, and of what reads them there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from jelly_spark.log.chain import LogFinding, Version


class Base(NamedTuple):
    """A state that is there without applying patches.

    Attributes:
        place: the place in the log of the patch that it is the state after; -1 for the state before
            the first patch.
        state: its statements, each once.
        prefixes: its prefixes.
    """

    place: int
    state: Any
    prefixes: Any


class Store(ABC):
    """Where the patches of a log are.

    Rows, states and prefixes are those of the algebra: DataFrames, or iterables.

    Args:
        algebra: `jelly_spark.algebra` or `jelly_spark.patches`, whose functions have the same names
            and arguments.
    """

    def __init__(self, algebra: ModuleType) -> None:
        self.algebra: Any = algebra

    @abstractmethod
    def versions(self) -> list[Version]:
        """Return the patches, in their order.

        Raises:
            LogError: they do not make one chain.
        """

    @abstractmethod
    def append(self, patch: Any) -> Version:
        """Append a patch; see `Log.append`."""

    @abstractmethod
    def rows(self, versions: Sequence[Version]) -> Any:
        """Return the rows of some patches."""

    @abstractmethod
    def nothing(self) -> Base:
        """Return the state before a log that has all patches from the beginning."""

    @abstractmethod
    def snapshot(self, versions: Sequence[Version], place: int) -> Base | None:
        """Return the last snapshot at a place or before it.

        Args:
            versions: all of the log.
            place: the place of one of them; -1 for the state before the first patch.
        """

    @abstractmethod
    def save(self, versions: Sequence[Version], state: Any, prefixes: Any) -> None:
        """Make the state of the last of some versions a snapshot.

        Args:
            versions: those of the log from the first one on.
            state: the statements.
            prefixes: the prefixes.

        Raises:
            OptionError: the store has no snapshots.
        """

    @abstractmethod
    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong; see `Log.verify`."""

    def apply(self, base: Base, versions: Sequence[Version]) -> tuple[Any, Any]:
        """Return the statements and prefixes after some patches, which follow a base."""
        state, prefixes = self.algebra.apply(
            base.state, self.rows(versions), prefixes=base.prefixes
        )
        return state, prefixes

    def squash(self, versions: Sequence[Version]) -> Any:
        """Return the net effect of some patches that follow each other, as one patch."""
        return self.algebra.squash(self.rows(versions))

    def history(self, versions: Sequence[Version], statement_filter: Any, state: Any) -> Any:
        """Return when statements came and went in some patches.

        Args:
            versions: the patches, which follow each other.
            statement_filter: see `Log.history`.
            state: the statements before them; None if there are none.
        """
        return self.algebra.history(self.rows(versions), statement_filter, state=state)
