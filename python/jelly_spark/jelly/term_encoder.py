"""From terms to messages: lookups, repeated terms, the limits of a stream's options."""

from __future__ import annotations

from typing import NamedTuple

from google.protobuf.message import Message

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfLiteral, RdfNameEntry, RdfTriple
from jelly_spark.core.memo import Memo
from jelly_spark.core.rows import GRAPH_RULE
from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.lookups import EncoderLookup
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


class TermTags(NamedTuple):
    """The tags of the fields that one position has for the kinds of terms."""

    iri: bytes
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
    return TermTags(*(tag(message, f"{letter}_{kind}", BYTES) for kind in kinds))


def triple_tags(message: type[Message]) -> TripleTags:
    """Return the tags of a message that has the terms of a triple."""
    return TripleTags(*(term_tags(message, letter) for letter in "spo"))


_TRIPLE = triple_tags(RdfTriple)
_IRI_PREFIX = tag(RdfIri, "prefix_id", VARINT)
_IRI_NAME = tag(RdfIri, "name_id", VARINT)
_LITERAL_DATATYPE = tag(RdfLiteral, "datatype", VARINT)
# The entries of the three lookups have the same fields.
_ENTRY_ID = tag(RdfNameEntry, "id", VARINT)
_ENTRY_VALUE = tag(RdfNameEntry, "value", BYTES)


class TermEncoder:
    """Encodes the terms of one stream, in their order, as the reference implementation does.

    After an error it is in no state to go on.

    Args:
        options: the sizes of the lookups, and what terms are allowed.
        row: the class of a row's message; it has the fields `name`, `prefix` and `datatype`.
    """

    def __init__(self, options: JellyOptions, row: type[Message]) -> None:
        self._options = options
        self._names = EncoderLookup(options.max_name_table_size, "name")
        self._prefixes = EncoderLookup(options.max_prefix_table_size, "prefix")
        self._datatypes = EncoderLookup(options.max_datatype_table_size, "datatype")
        self._has_prefixes = options.max_prefix_table_size > 0
        self._name_row = tag(row, "name", BYTES)
        self._prefix_row = tag(row, "prefix", BYTES)
        self._datatype_row = tag(row, "datatype", BYTES)
        # By its text, a term that came before.
        self._parts = Memo(TermSplitter(prefixes=self._has_prefixes).split)
        self._last_prefix = 0
        self._last_name = 0
        # The terms before, which are not written again; a graph can be None, the default graph,
        # and still be set.
        self._subject: Parts | None = None
        self._predicate: Parts | None = None
        self._object: Parts | None = None
        self._graph: Parts | None = None
        self._graph_set = False
        self._row = 0
        self._messages: list[bytes] = []

    @property
    def in_named_graph(self) -> bool:
        """Whether there was a graph, and the last one was not the default graph."""
        return self._graph is not None

    def start_row(self, messages: list[bytes]) -> None:
        """Begin a row; the messages of new entries of the lookups will be put into this list."""
        self._row += 1
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
        if parts != self._subject:
            self._check_subject(parts)
            fields += self._term(tags.subject, parts)
            self._subject = parts
        parts = known[predicate]
        if parts != self._predicate:
            self._check_predicate(parts)
            fields += self._term(tags.predicate, parts)
            self._predicate = parts
        parts = known[obj]
        if parts != self._object:
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
        if isinstance(graph, LiteralParts) and not self._options.generalized:
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
        return self._iri(parts)

    def term(self, tags: TermTags, text: str) -> bytes:
        """Return the field of a term, which may be any and is never a repeat.

        Raises:
            InvalidTermError: the string is no term.
            UnwritableRowError: the stream cannot hold it.
        """
        return self._term(tags, self._parts[text])

    def _check_subject(self, subject: Parts) -> None:
        if isinstance(subject, LiteralParts) and not self._options.generalized:
            raise UnwritableRowError("a literal subject needs generalized statements")

    def _check_predicate(self, predicate: Parts) -> None:
        if not isinstance(predicate, IriParts) and not self._options.generalized:
            raise UnwritableRowError("a predicate that is not an IRI needs generalized statements")

    def _term(self, tags: TermTags, parts: Parts) -> bytes:
        if isinstance(parts, IriParts):
            return tags.iri + self._iri(parts)
        if isinstance(parts, LiteralParts):
            return tags.literal + self._literal(parts)
        if isinstance(parts, BlankNodeParts):
            return tags.blank_node + parts.label
        return tags.other + self._quoted(parts)

    def _iri(self, parts: IriParts) -> bytes:
        message = b""
        row = self._row
        if self._has_prefixes:
            prefix = self._prefixes.use(parts.prefix, row) or self._add(
                self._prefixes, self._prefix_row, parts.prefix
            )
            if prefix != self._last_prefix:
                self._last_prefix = prefix
                message = _IRI_PREFIX + varint(prefix)
        name = self._names.use(parts.name, row) or self._add(
            self._names, self._name_row, parts.name
        )
        if name != self._last_name + 1:
            message += _IRI_NAME + varint(name)
        self._last_name = name
        return sized(message) if message else EMPTY

    def _literal(self, parts: LiteralParts) -> bytes:
        message = parts.message
        if parts.datatype is not None:
            if not self._options.max_datatype_table_size:
                raise UnwritableRowError("a typed literal needs a datatype table")
            datatype = self._datatypes.use(parts.datatype, self._row) or self._add(
                self._datatypes, self._datatype_row, parts.datatype
            )
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
        entry, wire_id = lookup.add(text, self._row)
        message = _ENTRY_ID + varint(wire_id) if wire_id else b""
        self._messages.append(row_tag + sized(message + string_field(_ENTRY_VALUE, text)))
        return entry
