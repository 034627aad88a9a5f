"""What a `Log` needs of the place where its patches are, and of what reads them there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

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


class Store(Protocol):
    """Where the patches of a log are.

    Rows, states and prefixes are those of the algebra that goes with the store: DataFrames, or
    iterables.
    """

    def versions(self) -> list[Version]:
        """Return the patches, in their order.

        Raises:
            LogError: they do not make one chain.
        """

    def append(self, patch: Any) -> Version:
        """Append a patch; see `Log.append`."""

    def rows(self, versions: Sequence[Version]) -> Any:
        """Return the rows of some patches."""

    def apply(self, base: Base, versions: Sequence[Version]) -> tuple[Any, Any]:
        """Return the statements and prefixes after some patches, which follow a base."""

    def nothing(self) -> Base:
        """Return the state before a log that has all patches from the beginning."""

    def snapshot(self, places: Mapping[str, int]) -> Base | None:
        """Return the last snapshot at one of some places, by the ids of their patches."""

    def save(self, version: Version, state: Any, prefixes: Any) -> None:
        """Make the state after a patch a snapshot.

        Raises:
            OptionError: the store has no snapshots.
        """

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong; see `Log.verify`."""
