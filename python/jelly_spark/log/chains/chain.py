"""The interface of a chain: the patches of a log, where they are, and in their order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from jelly_spark.log.engines.engine import Base
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.metrics import Counters
from jelly_spark.log.entries.order import LogFinding
from jelly_spark.log.entries.view import LogView


class Chain(ABC):
    """The patches of a log in their order.

    Attributes:
        counters: what was done with the log.
    """

    counters: Counters

    def now(self) -> Chain:
        """Return the chain as it is now: a folder may have become a managed log."""
        return self

    @abstractmethod
    def view(self) -> LogView:
        """Return the patches in the order of their chain.

        Raises:
            LogError: the patches do not form one chain.
        """

    @abstractmethod
    def append(
        self, patches: Iterable[Any], *, canonical: bool, time: datetime | None = None
    ) -> Iterator[Entry]:
        """Append patches, each when its entry is asked for; see `Log.append_all`.

        Args:
            patches: the patches.
            canonical: whether all of them are canonical for the state before them.
            time: the time of the patches in a folder; by default, that of their append.

        Raises:
            OptionError: they are canonical, and the chain cannot record that.
        """

    def snapshot(self, position: Position, *, has_state: bool = True) -> Base | None:
        """Return the last snapshot of a state, or of one before it; None if there is none.

        Before the first snapshot, a canonical first patch takes its place.

        Args:
            position: the position of the state.
            has_state: whether the statements are needed, and not only the prefixes.
        """
        return None

    @abstractmethod
    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the log; see `Log.verify`."""
