"""The patches of a managed log as they were when they were looked up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from jelly_spark.errors import LogError
from jelly_spark.log.entries import packs
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.view import LogView
from jelly_spark.log.index.log_index import LogIndex


class IndexedView(LogView):
    """Patches that are read from the index when they are needed."""

    is_managed = True

    def __init__(self, index: LogIndex) -> None:
        count = index.next - index.begin
        super().__init__(index.begin, count, index.head if count else None)
        self._index = index

    def entry(self, position: Position) -> Entry:
        """Return the patch at a position."""
        return self._located([self._index.entry(position)])[0]

    def entries(self, after: Position, to: Position) -> list[Entry]:
        """Return the patches that lead from one position to another."""
        return self._located(self._index.entries(range(after + 1, to + 1)))

    def _located(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return entries with the packs that have their patches."""
        known = self._index.packs
        if not known:
            return [*entries]
        return [entry._replace(pack=packs.find(known, entry.position)) for entry in entries]

    def located_now(self, patches: Sequence[Entry]) -> Sequence[Entry]:
        """Return patches with the files that have them now; see `LogView.located_now`."""
        self._index.look_at_settings()
        if patches[0].position < self._index.begin:
            raise LogError(
                f"{patches[0].id} has expired: the log begins at position {self._index.begin}"
            )
        return self._located(patches)

    def find(self, id: str) -> Position | None:
        """Return the position of the last patch with an id; None if there is none."""
        return self._index.find(id, range(self.begin, self.last + 1))

    def at_time(self, time: datetime) -> Position:
        """Return the position of the last patch appended up to a time; `start` if there is none."""
        for block in self._index.blocks(self.begin, self.last + 1):
            for entry in reversed(block.entries):
                assert entry.time is not None
                if entry.time <= time:
                    return entry.position
        return self.start
