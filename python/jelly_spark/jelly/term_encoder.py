"""From terms to messages: lookups, repeated terms, the limits of a stream's options."""

from __future__ import annotations

from typing import NamedTuple

from google.protobuf.message import Message

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfLiteral, RdfNameEntry, RdfTriple
from jelly_spark.core.memo import Memo
from jelly_spark.core.rows import GRAPH_RULE
from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.lookups import UNKNOWN, EncoderLookup
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.term_parts import (
    BlankNodeParts,
    IriParts,
    LiteralParts,
    Parts,
    TermSplitter,
    TripleParts,
)
from jelly_spark.jelly.wire import BYTES, EMPTY, VARINT, sized, string_field, tag, varint

# Of the message of an IRI, whose ids are under 2^32.
_LONGEST_IRI = 12


class TermTags(NamedTuple):
    """The tags of the fields that one position has for the kinds of terms."""

    iri: tuple[bytes, ...]
    """By the length of its message: the tag, and that length."""
    blank_node: bytes
    literal: bytes
    other: bytes
    """Of a quoted triple; in a graph's position of the default graph."""


class TripleTags(NamedTuple):
    """The tags of a statement's positions."""

    subject: TermTags
    predicate: TermTags
    object: TermTags


def term_tags(message: type[Message], letter: str) -> TermTags:
    """Return the tags of a position whose fields in the message begin with this letter."""
    kinds = ("iri", "bnode", "literal", "default_graph" if letter == "g" else "triple_term")
    iri, *others = (tag(message, f"{letter}_{kind}", BYTES) for kind in kinds)
    return TermTags(tuple(iri + varint(size) for size in range(_LONGEST_IRI + 1)), *others)


def triple_tags(message: type[Message]) -> TripleTags:
    """Return the tags of a message that has the terms of a triple."""
    return TripleTags(*(term_tags(message, letter) for letter in "spo"))


_IRI_PREFIX = tag(RdfIri, "prefix_id", VARINT)
_IRI_NAME = tag(RdfIri, "name_id", VARINT)
_TRIPLE = triple_tags(RdfTriple)
_LITERAL_DATATYPE = tag(RdfLiteral, "datatype", VARINT)
# The entries of the three lookups have the same fields.
_ENTRY_ID = tag(RdfNameEntry, "id", VARINT)
_ENTRY_VALUE = tag(RdfNameEntry, "value", BYTES)

# The ids of an IRI as fields: those that lookups of the default sizes have.
_PREFIXES = 1 << 8
_NAMES = 1 << 12
_PREFIX_IDS = tuple(_IRI_PREFIX + varint(number) for number in range(_PREFIXES))
_NAME_IDS = tuple(_IRI_NAME + varint(number) for number in range(_NAMES))


class TermEncoder:
    """Encodes the terms of one stream, in their order, as the reference implementation does.

    After an error it is in no state to go on.

    Args:
        options: the sizes of the lookups, and what terms are allowed.
        row: the class of a row's message; it has the fields `name`, `prefix` and `datatype`.
        restarted: whether they begin at a restart point, where nothing refers to what is before.
    """

    def __init__(self, options: JellyOptions, row: type[Message], *, restarted: bool) -> None:
        self._options = options
        self._generalized = options.generalized
        self._names = EncoderLookup(options.max_name_table_size, "name", restarted=restarted)
        self._prefixes = EncoderLookup(options.max_prefix_table_size, "prefix", restarted=restarted)
        self._datatypes = EncoderLookup(
            options.max_datatype_table_size, "datatype", restarted=restarted
        )
        self._has_prefixes = options.max_prefix_table_size > 0
        self._name_row = tag(row, "name", BYTES)
        self._prefix_row = tag(row, "prefix", BYTES)
        self._datatype_row = tag(row, "datatype", BYTES)
        # By its text, a term that came before.
        self._parts = Memo(TermSplitter(prefixes=self._has_prefixes).split)
        self._last_prefix = 0
        self._last_name = UNKNOWN if restarted else 0
        # The terms before, which are not written again; a graph can be None, the default graph,
        # and still be set.
        self._subject: Parts | None = None
        self._predicate: Parts | None = None
        self._object: Parts | None = None
        self._graph: Parts | None = None
        self._graph_set = False
        # Whether the last graph is the default graph where there was none.
        self._starts_in_default_graph = not restarted
        # The number of the last use of an entry of a lookup, and of the last one before this row.
        self._uses = 0
        self._row_began = 0
        self._messages: list[bytes] = []

    @property
    def in_default_graph(self) -> bool:
        """Whether a graph that is left out is the default graph."""
        return self._graph is None and (self._graph_set or self._starts_in_default_graph)

    def start_row(self, messages: list[bytes]) -> None:
        """Begin a row; the messages of new entries of the lookups will be put into this list."""
        self._row_began = self._uses
        self._messages = messages

    def triple(self, tags: TripleTags, subject: str, predicate: str, obj: str) -> bytes:
        """Return the fields of a statement's terms; one that repeats the last is left out.

        Raises:
            InvalidTermError: a term is none.
            UnwritableRowError: the stream cannot hold one of them.
        """
        known = self._parts
        fields = b""
        parts = known[subject]
        if parts is not self._subject and parts != self._subject:
            self._check_subject(parts)
            fields += self._term(tags.subject, parts)
            self._subject = parts
        parts = known[predicate]
        if parts is not self._predicate and parts != self._predicate:
            self._check_predicate(parts)
            fields += self._term(tags.predicate, parts)
            self._predicate = parts
        parts = known[obj]
        if parts is not self._object and parts != self._object:
            fields += self._term(tags.object, parts)
            self._object = parts
        return fields

    def graph(self, tags: TermTags, text: str | None) -> bytes:
        """Return the field of a graph, None the default graph; nothing if it repeats the last.

        Raises:
            InvalidTermError: the graph is no term.
            UnwritableRowError: the stream cannot hold it.
        """
        graph = None if text is None else self._parts[text]
        if self._graph_set and graph == self._graph:
            return b""
        self._graph = graph
        self._graph_set = True
        if graph is None:
            return tags.other + EMPTY
        if isinstance(graph, TripleParts):
            raise UnwritableRowError(GRAPH_RULE)
        if not self._generalized and isinstance(graph, LiteralParts):
            raise UnwritableRowError("a literal graph needs generalized statements")
        return self._term(tags, graph)

    def forget_graph(self) -> None:
        """Have the next graph written, even if it is the last one again."""
        self._graph_set = False

    def iri(self, text: str, refusal: str) -> bytes:
        """Return the message of an IRI, with its length before it.

        Args:
            text: the term.
            refusal: the rule that another term breaks.

        Raises:
            InvalidTermError: the string is no term.
            UnwritableRowError: the term is no IRI, or the stream cannot hold it.
        """
        parts = self._parts[text]
        if not isinstance(parts, IriParts):
            raise UnwritableRowError(refusal)
        return sized(self._iri(parts))

    def term(self, tags: TermTags, text: str) -> bytes:
        """Return the field of a term, which may be any and is never a repeat.

        Raises:
            InvalidTermError: the string is no term.
            UnwritableRowError: the stream cannot hold it.
        """
        return self._term(tags, self._parts[text])

    def _check_subject(self, subject: Parts) -> None:
        if not self._generalized and isinstance(subject, LiteralParts):
            raise UnwritableRowError("a literal subject needs generalized statements")

    def _check_predicate(self, predicate: Parts) -> None:
        if not self._generalized and not isinstance(predicate, IriParts):
            raise UnwritableRowError("a predicate that is not an IRI needs generalized statements")

    def _term(self, tags: TermTags, parts: Parts) -> bytes:
        if isinstance(parts, IriParts):
            message = self._iri(parts)
            return tags.iri[len(message)] + message
        if isinstance(parts, LiteralParts):
            return tags.literal + self._literal(parts)
        if isinstance(parts, BlankNodeParts):
            return tags.blank_node + parts.label
        return tags.other + self._quoted(parts)

    def _iri(self, parts: IriParts) -> bytes:
        message = b""
        prefix, name = parts
        # No helper: every IRI comes here.
        if self._has_prefixes:
            lookup = self._prefixes
            entry = lookup.ids.get(prefix)
            if entry is None:
                entry = self._add(lookup, self._prefix_row, prefix)
            else:
                self._uses = lookup.used[entry] = self._uses + 1
            if entry != self._last_prefix:
                self._last_prefix = entry
                message = _PREFIX_IDS[entry] if entry < _PREFIXES else _IRI_PREFIX + varint(entry)
        lookup = self._names
        entry = lookup.ids.get(name)
        if entry is None:
            entry = self._add(lookup, self._name_row, name)
        else:
            self._uses = lookup.used[entry] = self._uses + 1
        if entry != self._last_name + 1:
            message += _NAME_IDS[entry] if entry < _NAMES else _IRI_NAME + varint(entry)
        self._last_name = entry
        return message

    def _literal(self, parts: LiteralParts) -> bytes:
        message = parts.message
        if parts.datatype is not None:
            if not self._options.max_datatype_table_size:
                raise UnwritableRowError("a typed literal needs a datatype table")
            lookup = self._datatypes
            datatype = lookup.ids.get(parts.datatype)
            if datatype is None:
                datatype = self._add(lookup, self._datatype_row, parts.datatype)
            else:
                self._uses = lookup.used[datatype] = self._uses + 1
            message += _LITERAL_DATATYPE + varint(datatype)
        return sized(message)

    def _quoted(self, parts: TripleParts) -> bytes:
        if not self._options.rdf_star:
            raise UnwritableRowError("a quoted triple needs RDF-star")
        self._check_subject(parts.subject)
        self._check_predicate(parts.predicate)
        return sized(
            self._term(_TRIPLE.subject, parts.subject)
            + self._term(_TRIPLE.predicate, parts.predicate)
            + self._term(_TRIPLE.object, parts.object)
        )

    def _add(self, lookup: EncoderLookup, row_tag: bytes, text: str) -> int:
        """Put a new entry into a lookup, and its message before the row's; return its id."""
        self._uses += 1
        entry, wire_id = lookup.add(text, self._uses, self._row_began)
        message = _ENTRY_ID + varint(wire_id) if wire_id else b""
        self._messages.append(row_tag + sized(message + string_field(_ENTRY_VALUE, text)))
        return entry
