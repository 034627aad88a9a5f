"""The lookups for IRI prefixes, IRI names and datatypes (Jelly-RDF, "lookup entries")."""

from __future__ import annotations

from collections import OrderedDict

from jelly_spark.core.terms import escape_iri, format_iri
from jelly_spark.core.violation import Violation
from jelly_spark.errors import UnwritableRowError


class EncoderLookup:
    """A lookup of the writer: ids run on until it is full, then the least recently used goes.

    Args:
        size: the most entries, at least 1.
        kind: what the table holds, for messages: "name", "prefix" or "datatype".
    """

    __slots__ = ("_ids", "_kind", "_last_evicted", "_size", "_used_in")

    def __init__(self, size: int, kind: str) -> None:
        self._size = size
        self._kind = kind
        self._ids: OrderedDict[str, int] = OrderedDict()
        # By id: the last row that used it.
        self._used_in = [0]
        # No id follows this one: the first eviction is always written explicitly.
        self._last_evicted = -1

    def use(self, text: str, row: int) -> int | None:
        """Return the id of an entry that is in the table, and mark it as used by the row."""
        entry = self._ids.get(text)
        if entry is not None:
            self._ids.move_to_end(text)
            self._used_in[entry] = row
        return entry

    def add(self, text: str, row: int) -> tuple[int, int]:
        """Put in an entry that is not in the table, used by the row.

        Args:
            text: the entry.
            row: the row's number; they grow.

        Returns:
            Its id, and its id as the entry's row on the wire has it: 0 for the last one plus one.

        Raises:
            UnwritableRowError: the row already uses every entry of the table. To replace one of
                them would change what the row says.
        """
        ids = self._ids
        if len(ids) < self._size:
            entry = len(ids) + 1
            wire_id = 0
            self._used_in.append(row)
        else:
            _, entry = ids.popitem(last=False)
            if self._used_in[entry] == row:
                raise UnwritableRowError(
                    f"the row needs more entries at once than the {self._kind} table of "
                    f"{self._size} holds"
                )
            self._used_in[entry] = row
            wire_id = 0 if entry == self._last_evicted + 1 else entry
            self._last_evicted = entry
        ids[text] = entry
        return entry, wire_id


class DecoderLookup:
    """A lookup of the reader. It grows with the entries that come, not with the size announced.

    Args:
        size: the most entries.
        kind: what the table holds, for messages: "name", "prefix" or "datatype".
    """

    __slots__ = ("_entries", "_kind", "_last_set", "_size")

    def __init__(self, size: int, kind: str) -> None:
        self._size = size
        self._kind = kind
        self._last_set = 0
        self._entries: dict[int, str] = {}

    def set(self, wire_id: int, text: str) -> int:
        """Set an entry and return its id; `wire_id` 0 is the id set last plus one.

        Raises:
            Violation: the id is over the table's size.
        """
        entry = wire_id or self._last_set + 1
        if entry > self._size:
            raise Violation(f"a {self._kind} entry with an id up to {self._size}", f"id {entry}")
        self._last_set = entry
        self._entries[entry] = text
        return entry

    def get(self, entry: int) -> str:
        """Return the entry with this id.

        Raises:
            Violation: no such entry was set.
        """
        text = self._entries.get(entry)
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
    """

    __slots__ = ("_last_name", "_last_prefix", "_names", "_prefixes", "_terms")

    def __init__(self, prefixes: int, names: int) -> None:
        # Both hold strings that are escaped already.
        self._prefixes = DecoderLookup(prefixes, "prefix")
        self._names = DecoderLookup(names, "name")
        self._last_prefix = 0
        self._last_name = 0
        # By name id: the prefix that it came with last, and the term that the two made.
        self._terms: dict[int, tuple[str, str]] = {}

    def set_prefix(self, wire_id: int, text: str) -> None:
        """Set an entry of the prefix lookup, as `DecoderLookup.set` does."""
        self._prefixes.set(wire_id, escape_iri(text))

    def set_name(self, wire_id: int, text: str) -> None:
        """Set an entry of the name lookup, as `DecoderLookup.set` does."""
        self._terms.pop(self._names.set(wire_id, escape_iri(text)), None)

    def decode(self, prefix_id: int, name_id: int) -> str:
        """Return the IRI's term.

        Prefix id 0 is the last one given, no prefix before there is one; name id 0 is the last one
        plus one.

        Raises:
            Violation: an entry was never set.
        """
        if prefix_id:
            self._last_prefix = prefix_id
        else:
            prefix_id = self._last_prefix
        if not name_id:
            name_id = self._last_name + 1
        self._last_name = name_id
        prefix = self._prefixes.get(prefix_id) if prefix_id else ""
        known = self._terms.get(name_id)
        if known is not None and known[0] == prefix:
            return known[1]
        term = format_iri(prefix + self._names.get(name_id))
        self._terms[name_id] = (prefix, term)
        return term
