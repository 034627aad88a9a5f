"""A lookup table of the encoder, from prefixes, names or datatypes to ids, with LRU eviction."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.lookup_ids import BEFORE_FIRST, UNKNOWN


class EncoderLookup:
    """Assigns ids to texts: 1, 2, … until the table is full, then the ids of evicted entries.

    The least recently used entry is evicted. Uses are numbered across all lookup tables of a
    stream. When a text is found in `ids`, the caller stores the number of the use in `used[id]`.

    Args:
        size: the largest number of entries.
        kind: the kind of entries, for error messages: "name", "prefix" or "datatype".
        restarted: whether encoding begins at a restart point; then the first entry gets an explicit
            id.

    Attributes:
        ids: the id of each text in the table.
        used: the number of the last use, by id; a higher number is more recent.
    """

    __slots__ = ("_by_age", "_kind", "_previous", "_size", "_sorted_at", "_texts", "ids", "used")

    def __init__(self, size: int, kind: str, *, restarted: bool) -> None:
        self._size = size
        self._kind = kind
        self._previous = UNKNOWN if restarted else BEFORE_FIRST
        self.ids: dict[str, int] = {}
        # Indexed by id. Ids begin at 1, so index 0 is not used.
        self._texts = [""]
        self.used = [0]
        # The remaining candidates for eviction: ids in the order of their last use, as of the use
        # with the number `_sorted_at`.
        self._by_age: Iterator[int] = iter(())
        self._sorted_at = 0

    def add(self, text: str, now: int, row_began: int) -> tuple[int, int]:
        """Add a text that is not in the table, and count its first use.

        Args:
            text: the text.
            now: the number of this use.
            row_began: the number of the last use before the current row.

        Returns:
            The entry's id and its encoded id.

        Raises:
            UnwritableRowError: the table is full, and the current row uses all its entries, so that
                evicting one would change the meaning of the row.
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

        Lazy LRU: instead of a linked list that every use reorders, the ids are sorted by last use
        once, and evicted in that order. Ids that were used since then are skipped. The first one
        that was not is the least recently used: those after it in the order were used later, either
        before the sort or since. When no ids are left, they are sorted again.
        """
        while True:
            for entry in self._by_age:
                if self.used[entry] < self._sorted_at:
                    return entry
            self._by_age = iter(sorted(range(1, len(self.used)), key=self.used.__getitem__))
            self._sorted_at = now
