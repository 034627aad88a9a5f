"""The lookup tables of the decoder, from ids to prefixes, names, datatypes and whole IRIs."""

from __future__ import annotations

from typing import Final

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.row_size import RowText, TableSpace, text_size
from jelly_spark.core.terms.text import escape_iri
from jelly_spark.jelly.lookup_ids import BEFORE_FIRST, UNKNOWN
from jelly_spark.jelly.wire import FastPathMissError

_NO_PREFIX: Final = 0
# `<_:x>` is a blank node, so such an IRI is escaped; see `terms.format_iri`.
_BLANK_NODE: Final = "<_:"
_BLANK_NODE_ESCAPED: Final = "<\\u005F"
# The largest number of characters of an IRI that `IriDecoder.join` returns, and caches.
_LONGEST_JOINED: Final = 1 << 10
# The fast path finds entries with smaller ids in lists, which may have gaps, and so need memory for
# entries that are not set.
_IDS_IN_LISTS: Final = 1 << 14


class DecoderLookup:
    """The entries of a lookup table, by id (Jelly-RDF, "Lookup entries").

    Memory grows with the entries that are set, not with the size that the stream declares.

    Args:
        size: the largest number of entries.
        kind: the kind of entries, for error messages: "name", "prefix" or "datatype".
        space: the memory that this table shares with the other tables of the stream.
        restarted: whether decoding began at a restart point; then the first entry needs an explicit
            id.

    Attributes:
        entries: the entries that were set, by id.
    """

    __slots__ = (
        "_count_above",
        "_kind",
        "_long",
        "_longest_short",
        "_previous",
        "_size",
        "_space",
        "entries",
    )

    def __init__(self, size: int, kind: str, space: TableSpace, *, restarted: bool) -> None:
        self._size = size
        self._space = space
        # Short entries are not counted, because all of them together take at most a quarter of the
        # space, even with four bytes per character. `_long` has the sizes of the others, by id.
        self._longest_short = space.limit // (16 * max(size, 1))
        self._count_above = self._longest_short
        self._long: dict[int, int] = {}
        self._kind = kind
        self._previous = UNKNOWN if restarted else BEFORE_FIRST
        self.entries: dict[int, str] = {}

    def set(self, encoded_id: int, text: str) -> int:
        """Set an entry, and return its id.

        Raises:
            Violation: the id is above the table's size or, right after a restart point, 0; or the
                entries take too much memory.
        """
        entry = encoded_id
        if not entry:
            if self._previous == UNKNOWN:
                raise Violation(
                    f"an explicit id of the {self._kind} entry after a restart point", "id 0"
                )
            entry = self._previous + 1
        if entry > self._size:
            raise Violation(
                f"a {self._kind} entry with an id of at most {self._size}", f"id {entry}"
            )
        self._previous = entry
        self.entries[entry] = text
        if len(text) > self._count_above:
            self._count(entry, text)
        return entry

    def _count(self, entry: int, text: str) -> None:
        # From now on, count every entry, because it may replace a long one.
        self._count_above = -1
        self._space.take(-self._long.pop(entry, 0))
        if len(text) > self._longest_short:
            self._long[entry] = size = text_size(text)
            self._space.take(size)

    def get(self, entry: int) -> str:
        """Return the entry with an id.

        Raises:
            Violation: the entry was never set.
        """
        text = self.entries.get(entry)
        if text is None:
            if entry > self._size:
                raise Violation(f"a {self._kind} id of at most {self._size}", f"id {entry}")
            raise Violation(f"the id of an earlier {self._kind} entry", f"id {entry}")
        return text


class IriDecoder:
    """Joins prefixes and names to the canonical strings of IRIs (Jelly-RDF, "IRIs").

    Entries are stored escaped and with the angle brackets, so that joining is one concatenation.
    For each name, the last joined IRI is cached, because a name nearly always comes with the same
    prefix. Long IRIs are not cached; the slow path decodes them with `add`. Invariant: a cached IRI
    is valid if its prefix entry is still the same string object, which is checked with `is`.
    Setting a name entry removes its cached IRI. The caches are lists, because a dictionary takes
    longer. They end before entries with large ids that are set out of order.

    Args:
        prefixes: the largest number of entries in the prefix table.
        names: the largest number of entries in the name table.
        space: the memory that the lookup tables share.
        longest: the largest number of characters of an IRI that `join` returns.
        restarted: whether decoding began at a restart point; then the first entry of each table and
            the first IRI need explicit ids.

    Attributes:
        previous_ids: the prefix id and the name id of the previous IRI.
        starts: by prefix id, the start of an IRI: `<` and the escaped prefix.
        joined: by name id, the whole string of the last joined IRI.
        joined_starts: by name id, the start of this IRI.
    """

    __slots__ = (
        "_ends",
        "_longest",
        "_names",
        "_prefixes",
        "joined",
        "joined_starts",
        "previous_ids",
        "starts",
    )

    def __init__(
        self, prefixes: int, names: int, space: TableSpace, longest: int, *, restarted: bool
    ) -> None:
        self._prefixes = DecoderLookup(prefixes, "prefix", space, restarted=restarted)
        self._names = DecoderLookup(names, "name", space, restarted=restarted)
        self._ends = self._names.entries
        self._prefixes.entries[_NO_PREFIX] = "<"
        self.starts: list[str | None] = ["<"]
        # Without a prefix table, the prefix id is always 0, also after a restart point.
        self.previous_ids = (
            (UNKNOWN if prefixes else _NO_PREFIX, UNKNOWN)
            if restarted
            else (_NO_PREFIX, BEFORE_FIRST)
        )
        self.joined: list[str | None] = []
        self.joined_starts: list[str | None] = []
        self._longest = min(longest, _LONGEST_JOINED)

    def set_prefix(self, encoded_id: int, text: str) -> None:
        """Set an entry of the prefix lookup; see `DecoderLookup.set`."""
        start = "<" + escape_iri(text)
        _put(self.starts, self._prefixes.set(encoded_id, start), start)

    def set_name(self, encoded_id: int, text: str) -> None:
        """Set an entry of the name lookup; see `DecoderLookup.set`."""
        entry = self._names.set(encoded_id, escape_iri(text) + ">")
        if entry < len(self.joined):
            self.joined[entry] = None
        else:
            _put(self.joined, entry, None)
            _put(self.joined_starts, entry, None)

    def add(self, text: RowText, prefix_id: int, name_id: int) -> None:
        """Add the IRI with these encoded ids to the text of a row.

        Raises:
            Violation: an entry was never set, an id is 0 right after a restart point, or the row is
                too long.
        """
        previous_prefix, previous_name = self.previous_ids
        prefix_id = prefix_id or previous_prefix
        name_id = name_id or previous_name + 1
        self.previous_ids = prefix_id, name_id
        if prefix_id == UNKNOWN:
            raise Violation("an explicit prefix id after a restart point", "id 0")
        start = self._prefixes.get(prefix_id)
        if name_id == UNKNOWN + 1:
            raise Violation("an explicit name id after a restart point", "id 0")
        end = self._names.get(name_id)
        if (start[:3] + end[:2]).startswith(_BLANK_NODE):
            # Escape the `_` of `<_:`. At least the `<` is in `start`; the `_` may be in `end`.
            start, end = _BLANK_NODE_ESCAPED + start[2:], end if len(start) > 1 else end[1:]
        text.add(start, end)

    def join(self, prefix_id: int, name_id: int) -> str:
        """Join the entries with these ids, and cache the result in `joined`.

        Raises:
            FastPathMissError: the IRI is long, or its prefix was never set.
            KeyError: its name was never set.
        """
        start = self.starts[prefix_id]
        if start is None:
            raise FastPathMissError
        term = start + self._ends[name_id]
        if term.startswith(_BLANK_NODE):
            term = _BLANK_NODE_ESCAPED + term[2:]
        if len(term) > self._longest:
            raise FastPathMissError
        self.joined[name_id] = term
        self.joined_starts[name_id] = start
        return term


def _put(values: list[str | None], at: int, value: str | None) -> None:
    """Set an element of a list, which grows if the index is small or its length."""
    if at < len(values):
        values[at] = value
    elif at < _IDS_IN_LISTS or at == len(values):
        values += [None] * (at - len(values))
        values.append(value)
