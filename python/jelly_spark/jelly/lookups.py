"""The lookups for IRI prefixes, IRI names and datatypes (Jelly-RDF, "lookup entries")."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.core.terms import escape_iri
from jelly_spark.core.violation import Violation
from jelly_spark.errors import UnwritableRowError

UNKNOWN = -2
"""In place of the last id where there is none to go on from: behind a restart point."""


class EncoderLookup:
    """A lookup of the writer: ids run on until it is full, then the least recently used goes.

    Whoever uses an entry that is in the table notes it in `used`.

    Args:
        size: the most entries, at least 1.
        kind: what the table holds, for messages: "name", "prefix" or "datatype".
        restarted: whether writing begins at a restart point: then the first entry has its id.

    Attributes:
        ids: the entries that are in the table: by its text, an entry's id.
        used: by id, when it was used last: a number that grows with every use.
    """

    __slots__ = ("_by_age", "_kind", "_last_set", "_size", "_sorted", "_texts", "ids", "used")

    def __init__(self, size: int, kind: str, *, restarted: bool) -> None:
        self._size = size
        self._kind = kind
        self._last_set = UNKNOWN if restarted else 0
        self.ids: dict[str, int] = {}
        # By id; there is no entry 0.
        self._texts = [""]
        self.used = [0]
        # The ids, from the one on that was the least recently used when they were sorted last.
        self._by_age: Iterator[int] = iter(())
        self._sorted = 0

    def add(self, text: str, now: int, row_began: int) -> tuple[int, int]:
        """Put in an entry that is not in the table, and is used.

        Args:
            text: the entry.
            now: the number of this use.
            row_began: the number before those of the row's uses.

        Returns:
            Its id, and its id as the entry's row on the wire has it: 0 for the last one plus one.

        Raises:
            UnwritableRowError: the row already uses every entry of the table. To replace one of
                them would change what the row says.
        """
        if len(self.ids) < self._size:
            entry = len(self.ids) + 1
            self._texts.append(text)
            self.used.append(now)
        else:
            entry = self._least_recently_used(now)
            if self.used[entry] > row_began:
                raise UnwritableRowError(
                    f"the row needs more entries at once than the {self._kind} table of "
                    f"{self._size} holds"
                )
            del self.ids[self._texts[entry]]
            self._texts[entry] = text
            self.used[entry] = now
        self.ids[text] = entry
        wire_id = 0 if entry == self._last_set + 1 else entry
        self._last_set = entry
        return entry, wire_id

    def _least_recently_used(self, now: int) -> int:
        """Return the id of the entry that goes next."""
        # To keep the entries sorted costs more, at every use, than to sort them when all that were
        # sorted are gone. One that was used since then is not as old as those after it.
        while True:
            for entry in self._by_age:
                if self.used[entry] < self._sorted:
                    return entry
            self._by_age = iter(sorted(range(1, len(self.used)), key=self.used.__getitem__))
            self._sorted = now


class DecoderLookup:
    """A lookup of the reader. It grows with the entries that come, not with the size announced.

    Args:
        size: the most entries.
        kind: what the table holds, for messages: "name", "prefix" or "datatype".
        restarted: whether reading began at a restart point: then the first entry must have an id.

    Attributes:
        entries: those that were set, by their ids.
    """

    __slots__ = ("_kind", "_last_set", "_size", "entries")

    def __init__(self, size: int, kind: str, *, restarted: bool) -> None:
        self._size = size
        self._kind = kind
        self._last_set = UNKNOWN if restarted else 0
        self.entries: dict[int, str] = {}

    def set(self, wire_id: int, text: str) -> int:
        """Set an entry and return its id; `wire_id` 0 is the id set last plus one.

        Raises:
            Violation: the id is over the table's size, or it is left open by a restart point.
        """
        entry = wire_id
        if not entry:
            if self._last_set == UNKNOWN:
                raise Violation(f"a {self._kind} entry with an id, after a restart", "id 0")
            entry = self._last_set + 1
        if entry > self._size:
            raise Violation(f"a {self._kind} entry with an id up to {self._size}", f"id {entry}")
        self._last_set = entry
        self.entries[entry] = text
        return entry

    def get(self, entry: int) -> str:
        """Return the entry with this id.

        Raises:
            Violation: no such entry was set.
        """
        text = self.entries.get(entry)
        if text is None:
            if entry > self._size:
                raise Violation(f"a {self._kind} id up to {self._size}", f"id {entry}")
            raise Violation(f"a {self._kind} id that was set before", f"id {entry}")
        return text


class IriDecoder:
    """Makes terms of prefix and name ids (Jelly-RDF, "IRIs").

    Args:
        prefixes: the most entries of the prefix lookup.
        names: the most entries of the name lookup.
        restarted: whether reading began at a restart point: then the first entries and the first
            IRI must have their ids.

    Attributes:
        last_ids: the prefix id given last, and the last name id.
        starts: by prefix id, how a term starts; it is escaped, and has the angle bracket.
        terms: by name id, the term that was made last, after the start that it was made with.
    """

    __slots__ = ("_ends", "_names", "_prefixes", "last_ids", "starts", "terms")

    def __init__(self, prefixes: int, names: int, *, restarted: bool) -> None:
        self._prefixes = DecoderLookup(prefixes, "prefix", restarted=restarted)
        self._names = DecoderLookup(names, "name", restarted=restarted)
        self.starts = self._prefixes.entries
        self._ends = self._names.entries
        # Without a prefix.
        self.starts[0] = "<"
        self.last_ids = (UNKNOWN if prefixes else 0, UNKNOWN) if restarted else (0, 0)
        self.terms: dict[int, tuple[str, str]] = {}

    def set_prefix(self, wire_id: int, text: str) -> None:
        """Set an entry of the prefix lookup, as `DecoderLookup.set` does."""
        self._prefixes.set(wire_id, "<" + escape_iri(text))

    def set_name(self, wire_id: int, text: str) -> None:
        """Set an entry of the name lookup, as `DecoderLookup.set` does."""
        self.terms.pop(self._names.set(wire_id, escape_iri(text) + ">"), None)

    def decode(self, prefix_id: int, name_id: int) -> str:
        """Return the term of an IRI, by its ids on the wire.

        Prefix id 0 is the last one given, no prefix before there is one; name id 0 is the last one
        plus one.

        Raises:
            Violation: an entry was never set.
        """
        last_prefix, last_name = self.last_ids
        prefix_id = prefix_id or last_prefix
        name_id = name_id or last_name + 1
        self.last_ids = prefix_id, name_id
        if prefix_id == UNKNOWN:
            raise Violation("a prefix id, after a restart", "id 0")
        self._prefixes.get(prefix_id)
        if name_id == UNKNOWN + 1:
            raise Violation("a name id, after a restart", "id 0")
        self._names.get(name_id)
        return self.term(prefix_id, name_id)

    def term(self, prefix_id: int, name_id: int) -> str:
        """Make the term of these two entries, and keep it in `terms`; prefix id 0 is no prefix.

        Raises:
            KeyError: an entry was never set.
        """
        start = self.starts[prefix_id]
        term = start + self._ends[name_id]
        if term.startswith("<_:"):
            # <_:x> is a blank node.
            term = "<\\u005F" + term[2:]
        self.terms[name_id] = start, term
        return term
