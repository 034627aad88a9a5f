"""Encoding terms from their strings, with lookups, repeated terms and the stream's options."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import Message

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfLiteral, RdfNameEntry, RdfTriple
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.rows import GRAPH_RULE
from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.encoding.lookup import EncoderLookup
from jelly_spark.jelly.encoding.term_splitter import (
    BLANK_NODE,
    IRI,
    LITERAL,
    TRIPLE,
    IriParts,
    LiteralParts,
    Parts,
    TermSplitter,
    TripleParts,
)
from jelly_spark.jelly.lookup_ids import BEFORE_FIRST, UNKNOWN
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.wire import EMPTY, VARINT, sized, string_field, tag, varint

# Two ids below 2^32 of at most 5 bytes each, with tags of one byte.
_MAX_IRI_SIZE: Final = 12


class TermTags:
    """The tags of one position of a statement, by the kind of term.

    Args:
        message: the class of the message that has the position.
        letter: the first letter of the fields of the position, such as that of `s_iri`.

    Attributes:
        iri: the tag and the length of an IRI's message, by that length.
        blank_node: the tag of a blank node.
        literal: the tag of a literal.
        other: the tag of a triple term or, in the graph position, of the default graph.
    """

    __slots__ = ("blank_node", "iri", "literal", "other")

    def __init__(self, message: type[Message], letter: str) -> None:
        iri = tag(message, f"{letter}_iri")
        self.iri: list[bytes] = [iri + varint(size) for size in range(_MAX_IRI_SIZE + 1)]
        self.blank_node = tag(message, f"{letter}_bnode")
        self.literal = tag(message, f"{letter}_literal")
        other = "default_graph" if letter == "g" else "triple_term"
        self.other = tag(message, f"{letter}_{other}")


class TripleTags:
    """The tags of the subject, the predicate and the object of a message."""

    __slots__ = ("object", "predicate", "subject")

    def __init__(self, message: type[Message]) -> None:
        self.subject = TermTags(message, "s")
        self.predicate = TermTags(message, "p")
        self.object = TermTags(message, "o")


_IRI_PREFIX: Final = tag(RdfIri, "prefix_id", VARINT)
_IRI_NAME: Final = tag(RdfIri, "name_id", VARINT)
_TRIPLE: Final = TripleTags(RdfTriple)
_LITERAL_DATATYPE: Final = tag(RdfLiteral, "datatype", VARINT)
# The entries of the three lookups have the same fields.
_ENTRY_ID: Final = tag(RdfNameEntry, "id", VARINT)
_ENTRY_VALUE: Final = tag(RdfNameEntry, "value")

# The encoded fields of an IRI by id, for all ids of lookup tables of the default sizes.
_CACHED_PREFIX_IDS: Final = 1 << 8
_CACHED_NAME_IDS: Final = 1 << 12
_PREFIX_IDS: Final = tuple(_IRI_PREFIX + varint(number) for number in range(_CACHED_PREFIX_IDS))
_NAME_IDS: Final = tuple(_IRI_NAME + varint(number) for number in range(_CACHED_NAME_IDS))


class TermEncoder:
    """Encodes the terms of one stream, in order, to the same bytes as the reference implementation.

    A statement omits each term that equals the held term, which is the last one in its position
    (Jelly-RDF, "Repeated terms"). The encoder must not be used after an error.

    Args:
        options: the options of the stream.
        row: the class of a row's message; it has the fields `name`, `prefix` and `datatype`.
        restarted: whether encoding begins at a restart point, so that no row may refer to an
            earlier one.
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
        self._name_row = tag(row, "name")
        self._prefix_row = tag(row, "prefix")
        self._datatype_row = tag(row, "datatype")
        # The parts of terms, by the terms' strings.
        self._parts = BoundedCache(TermSplitter(prefixes=self._has_prefixes).split)
        # The ids of the previous IRI. No entry has the id 0, so the first prefix id is always
        # written, with or without a restart point.
        self._previous_prefix = 0
        self._previous_name = UNKNOWN if restarted else BEFORE_FIRST
        # The held terms. A held graph can be None, the default graph, so a flag says whether there
        # is a held graph.
        self._subject: Parts | None = None
        self._subject_text: str | None = None
        self._predicate: Parts | None = None
        self._object: Parts | None = None
        self._graph: Parts | None = None
        self._graph_text: str | None = None
        self._graph_set = False
        # Whether an omitted graph is the default graph if there is no held graph.
        self._starts_in_default_graph = not restarted
        # The number of the last use of any lookup entry: so far, and before the current row.
        self._uses = 0
        self._row_began = 0
        self._messages: list[bytes] = []

    @property
    def in_default_graph(self) -> bool:
        """Whether an omitted graph is the default graph."""
        return self._graph is None and (self._graph_set or self._starts_in_default_graph)

    def start_row(self, messages: list[bytes]) -> None:
        """Begin a row whose new lookup entries are appended to `messages`, as rows of their own."""
        self._row_began = self._uses
        self._messages = messages

    def triple(self, tags: TripleTags, subject: str, predicate: str, obj: str) -> bytes:
        """Return the fields of a statement's terms, without terms that repeat the held ones.

        Raises:
            InvalidTermError: a string is not a term.
            UnwritableRowError: the stream's options do not allow a term.
        """
        known = self._parts
        fields = b""
        # The same text needs no lookup. Another text can stand for the same term.
        if subject != self._subject_text:
            parts = known[subject]
            if parts != self._subject:
                self._check_subject(parts)
                fields += self._term(tags.subject, parts)
                self._subject = parts
            self._subject_text = subject
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
        """Return the field of a graph, or empty bytes if the graph repeats the held one.

        Args:
            tags: the tags of the graph's position.
            text: the graph; None is the default graph.

        Raises:
            InvalidTermError: the string is not a term.
            UnwritableRowError: the stream's options do not allow the term as a graph.
        """
        if self._graph_set and text == self._graph_text:
            return b""
        self._graph_text = text
        graph = None if text is None else self._parts[text]
        if self._graph_set and graph == self._graph:
            return b""
        self._graph = graph
        self._graph_set = True
        if graph is None:
            return tags.other + EMPTY
        if graph[0] == TRIPLE:
            raise UnwritableRowError(GRAPH_RULE)
        if not self._generalized and graph[0] == LITERAL:
            raise UnwritableRowError("a literal graph needs the option generalized")
        return self._term(tags, graph)

    def forget_graph(self) -> None:
        """Force the next graph to be written, even if it equals the last one."""
        self._graph_set = False

    def iri(self, text: str, refusal: str) -> bytes:
        """Return the message of an IRI, preceded by its length.

        Args:
            text: the canonical string of the IRI.
            refusal: the rule for the error if the term is not an IRI.

        Raises:
            InvalidTermError: the string is not a term.
            UnwritableRowError: the term is not an IRI, or the row needs more lookup entries than a
                table can hold.
        """
        parts = self._parts[text]
        if parts[0] != IRI:
            raise UnwritableRowError(refusal)
        return sized(self._iri(parts))

    def term(self, tags: TermTags, text: str) -> bytes:
        """Return the field of a term in a position where terms are never omitted.

        Raises:
            InvalidTermError: the string is not a term.
            UnwritableRowError: the stream's options do not allow the term.
        """
        return self._term(tags, self._parts[text])

    def _check_subject(self, subject: Parts) -> None:
        if not self._generalized and subject[0] == LITERAL:
            raise UnwritableRowError("a literal subject needs the option generalized")

    def _check_predicate(self, predicate: Parts) -> None:
        if not self._generalized and predicate[0] != IRI:
            raise UnwritableRowError("a predicate that is not an IRI needs the option generalized")

    def _term(self, tags: TermTags, parts: Parts) -> bytes:
        if parts[0] == IRI:
            message = self._iri(parts)
            return tags.iri[len(message)] + message
        if parts[0] == LITERAL:
            return tags.literal + self._literal(parts)
        if parts[0] == BLANK_NODE:
            return tags.blank_node + parts[1]
        return tags.other + self._triple(parts)

    def _iri(self, parts: IriParts) -> bytes:
        message = b""
        _, prefix, name = parts
        # The lookups are inlined: a call for each would double the time of this method.
        if self._has_prefixes:
            lookup = self._prefixes
            entry = lookup.ids.get(prefix)
            if entry is None:
                entry = self._add(lookup, self._prefix_row, prefix)
            else:
                self._uses = lookup.used[entry] = self._uses + 1
            if entry != self._previous_prefix:
                self._previous_prefix = entry
                message = (
                    _PREFIX_IDS[entry]
                    if entry < _CACHED_PREFIX_IDS
                    else _IRI_PREFIX + varint(entry)
                )
        lookup = self._names
        entry = lookup.ids.get(name)
        if entry is None:
            entry = self._add(lookup, self._name_row, name)
        else:
            self._uses = lookup.used[entry] = self._uses + 1
        if entry != self._previous_name + 1:
            message += _NAME_IDS[entry] if entry < _CACHED_NAME_IDS else _IRI_NAME + varint(entry)
        self._previous_name = entry
        return message

    def _literal(self, parts: LiteralParts) -> bytes:
        _, message, iri = parts
        if iri is not None:
            if not self._options.max_datatype_table_size:
                raise UnwritableRowError(
                    "a typed literal needs a datatype table: set maxDatatypeTableSize above 0"
                )
            lookup = self._datatypes
            datatype = lookup.ids.get(iri)
            if datatype is None:
                datatype = self._add(lookup, self._datatype_row, iri)
            else:
                self._uses = lookup.used[datatype] = self._uses + 1
            message += _LITERAL_DATATYPE + varint(datatype)
        return sized(message)

    def _triple(self, parts: TripleParts) -> bytes:
        if not self._options.rdf_star:
            raise UnwritableRowError("a triple term needs the option rdfStar")
        _, subject, predicate, obj = parts
        self._check_subject(subject)
        self._check_predicate(predicate)
        return sized(
            self._term(_TRIPLE.subject, subject)
            + self._term(_TRIPLE.predicate, predicate)
            + self._term(_TRIPLE.object, obj)
        )

    def _add(self, lookup: EncoderLookup, row_tag: bytes, text: str) -> int:
        """Add an entry to a lookup table, add its row to the messages, and return its id."""
        self._uses += 1
        entry, encoded_id = lookup.add(text, self._uses, self._row_began)
        message = _ENTRY_ID + varint(encoded_id) if encoded_id else b""
        self._messages.append(row_tag + sized(message + string_field(_ENTRY_VALUE, text)))
        return entry
