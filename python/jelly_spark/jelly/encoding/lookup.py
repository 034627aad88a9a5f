"""A lookup of the encoder: from prefixes, names or datatypes to ids, with LRU eviction."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.lookup_ids import BEFORE_FIRST, UNKNOWN


class EncoderLookup:
    """Assigns ids to texts: 1, 2, … until the lookup is full, then those of evicted entries.

    The least recently used entry is evicted. Uses are numbered across all lookups of a stream; the
    caller stores the number of each use in `used[id]`, inline, since that is the common case.

    Args:
        size: the most entries.
        kind: what the lookup holds, for error messages: "name", "prefix" or "datatype".
        restarted: whether encoding begins at a restart point; then the first entry gets an explicit
            id.

    Attributes:
        ids: the id of each text in the lookup.
        used: the number of the last use by id; higher is more recent.
    """

    __slots__ = ("_by_age", "_kind", "_previous", "_size", "_sorted_at", "_texts", "ids", "used")

    def __init__(self, size: int, kind: str, *, restarted: bool) -> None:
        self._size = size
        self._kind = kind
        self._previous = UNKNOWN if restarted else BEFORE_FIRST
        self.ids: dict[str, int] = {}
        # By id, from 1 up; the first place is not used.
        self._texts = [""]
        self.used = [0]
        # The rest of the ids in the order of their last use, as it was when they were last sorted.
        self._by_age: Iterator[int] = iter(())
        self._sorted_at = 0

    def add(self, text: str, now: int, row_began: int) -> tuple[int, int]:
        """Add a text that is not in the lookup, and use it.

        Args:
            text: the text.
            now: the number of this use.
            row_began: the number of the last use before the current row.

        Returns:
            The entry's id and its encoded id.

        Raises:
            UnwritableRowError: the lookup is full, and the current row uses all its entries.
                Evicting one of them would change the meaning of the row.
        """
        if len(self.ids) < self._size:
            entry = len(self.ids) + 1
            self._texts.append(text)
            self.used.append(now)
        else:
            entry = self._least_recently_used(now)
            if self.used[entry] > row_began:
                raise UnwritableRowError(
                    f"the row needs more entries than the {self._kind} table of {self._size} can "
                    f"hold: raise max{self._kind.capitalize()}TableSize"
                )
            del self.ids[self._texts[entry]]
            self._texts[entry] = text
            self.used[entry] = now
        self.ids[text] = entry
        encoded_id = 0 if entry == self._previous + 1 else entry
        self._previous = entry
        return entry, encoded_id

    def _least_recently_used(self, now: int) -> int:
        """Return the id of the entry to evict.

        Lazy LRU: instead of a list that every use reorders, the ids are sorted by last use once,
        and handed out in that order; those used since then are skipped. Each of these was used
        later than every id after it in the order, so the first one not used since is the least
        recently used. When the order is exhausted, the ids are sorted again.
        """
        while True:
            for entry in self._by_age:
                if self.used[entry] < self._sorted_at:
                    return entry
            self._by_age = iter(sorted(range(1, len(self.used)), key=self.used.__getitem__))
            self._sorted_at = now
