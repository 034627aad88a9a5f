"""Lookups of the decoder: from ids to prefixes, names and datatypes, and to whole IRIs."""

from __future__ import annotations

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.terms import escape_iri
from jelly_spark.jelly.lookup_ids import BEFORE_FIRST, UNKNOWN

_NO_PREFIX = 0


class DecoderLookup:
    """Holds the entries of a lookup by id (Jelly-RDF, "Lookup entries").

    It grows with the entries that come, not with the size that the stream announces.

    Args:
        size: the most entries.
        kind: what the lookup holds, for error messages: "name", "prefix" or "datatype".
        restarted: whether decoding began at a restart point; then the first entry needs an explicit
            id.

    Attributes:
        entries: the entries that were set, by id.
    """

    __slots__ = ("_kind", "_previous", "_size", "entries")

    def __init__(self, size: int, kind: str, *, restarted: bool) -> None:
        self._size = size
        self._kind = kind
        self._previous = UNKNOWN if restarted else BEFORE_FIRST
        self.entries: dict[int, str] = {}

    def set(self, encoded_id: int, text: str) -> int:
        """Set an entry, and return its id.

        Raises:
            Violation: the id is above the lookup's size, or it is 0 right after a restart point.
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
        return entry

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

    Entries are stored escaped, and with the angle brackets, so that joining is one concatenation.
    The IRI joined last for each name is cached, since a name nearly always comes with the same
    prefix. Invariant: a cached IRI is valid while the lookup holds the very string object of the
    prefix that it was joined with, which one `is` checks. Setting a name entry drops its IRI.

    Args:
        prefixes: the most entries of the prefix lookup.
        names: the most entries of the name lookup.
        restarted: whether decoding began at a restart point; then the first entry of each lookup,
            and the first IRI, need explicit ids.

    Attributes:
        previous_ids: the prefix id and the name id of the previous IRI.
        starts: by prefix id, the start of an IRI: `<` and the escaped prefix.
        joined: by name id, the start and the whole string of the IRI joined last.
    """

    __slots__ = ("_ends", "_names", "_prefixes", "joined", "previous_ids", "starts")

    def __init__(self, prefixes: int, names: int, *, restarted: bool) -> None:
        self._prefixes = DecoderLookup(prefixes, "prefix", restarted=restarted)
        self._names = DecoderLookup(names, "name", restarted=restarted)
        self.starts = self._prefixes.entries
        self._ends = self._names.entries
        self.starts[_NO_PREFIX] = "<"
        # Without a prefix lookup there is no prefix id that a restart point could leave open.
        self.previous_ids = (
            (UNKNOWN if prefixes else _NO_PREFIX, UNKNOWN)
            if restarted
            else (_NO_PREFIX, BEFORE_FIRST)
        )
        self.joined: dict[int, tuple[str, str]] = {}

    def set_prefix(self, encoded_id: int, text: str) -> None:
        """Set an entry of the prefix lookup; see `DecoderLookup.set`."""
        self._prefixes.set(encoded_id, "<" + escape_iri(text))

    def set_name(self, encoded_id: int, text: str) -> None:
        """Set an entry of the name lookup; see `DecoderLookup.set`."""
        self.joined.pop(self._names.set(encoded_id, escape_iri(text) + ">"), None)

    def decode(self, prefix_id: int, name_id: int) -> str:
        """Return the canonical string of an IRI, by its encoded ids.

        Raises:
            Violation: an entry was never set, or an id is 0 right after a restart point.
        """
        previous_prefix, previous_name = self.previous_ids
        prefix_id = prefix_id or previous_prefix
        name_id = name_id or previous_name + 1
        self.previous_ids = prefix_id, name_id
        if prefix_id == UNKNOWN:
            raise Violation("an explicit prefix id after a restart point", "id 0")
        self._prefixes.get(prefix_id)
        if name_id == UNKNOWN + 1:
            raise Violation("an explicit name id after a restart point", "id 0")
        self._names.get(name_id)
        return self.join(prefix_id, name_id)

    def join(self, prefix_id: int, name_id: int) -> str:
        """Join the entries with these ids, and cache the result in `joined`.

        Raises:
            KeyError: an entry was never set.
        """
        start = self.starts[prefix_id]
        term = start + self._ends[name_id]
        if term.startswith("<_:"):
            # `<_:x>` would be a blank node; see `format_iri`.
            term = "<\\u005F" + term[2:]
        self.joined[name_id] = start, term
        return term
