"""From rows to the messages of rows: lookups, repeated terms, the limits of a stream's options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from google.protobuf.message import Message

from jelly_spark._proto.patch_pb2 import (
    RdfPatchHeader,
    RdfPatchNamespace,
    RdfPatchOptions,
    RdfPatchRow,
)
from jelly_spark._proto.rdf_pb2 import (
    RdfIri,
    RdfLiteral,
    RdfNameEntry,
    RdfQuad,
    RdfTriple,
)
from jelly_spark.codec.lookups import EncoderLookup
from jelly_spark.codec.options import PROTOCOL_VERSION, PatchOptions, StatementType
from jelly_spark.codec.rows import OPS, PatchRow
from jelly_spark.codec.term_parts import (
    BlankNodeParts,
    IriParts,
    LiteralParts,
    Parts,
    TermSplitter,
    TripleParts,
)
from jelly_spark.codec.wire import BYTES, VARINT, sized, tag, varint
from jelly_spark.errors import UnwritableRowError


class _TermTags(NamedTuple):
    """The tags of the fields that one position has for the kinds of terms."""

    iri: bytes
    blank_node: bytes
    literal: bytes
    # A quoted triple in a subject, predicate, object or header, the default graph in a graph.
    other: bytes


def _term_tags(message: type[Message], letter: str, other: str = "triple_term") -> _TermTags:
    kinds = ("iri", "bnode", "literal", other)
    return _TermTags(*(tag(message, f"{letter}_{kind}", BYTES) for kind in kinds))


def _row_tag(field: str) -> bytes:
    return tag(RdfPatchRow, field, BYTES)


_QUAD_S = _term_tags(RdfQuad, "s")
_QUAD_P = _term_tags(RdfQuad, "p")
_QUAD_O = _term_tags(RdfQuad, "o")
_QUAD_G = _term_tags(RdfQuad, "g", "default_graph")
_TRIPLE_S = _term_tags(RdfTriple, "s")
_TRIPLE_P = _term_tags(RdfTriple, "p")
_TRIPLE_O = _term_tags(RdfTriple, "o")
_NAMESPACE_G = _term_tags(RdfPatchNamespace, "g", "default_graph")
_NAMESPACE_NAME = tag(RdfPatchNamespace, "name", BYTES)
_NAMESPACE_VALUE = tag(RdfPatchNamespace, "value", BYTES)
_HEADER_KEY = tag(RdfPatchHeader, "key", BYTES)
_HEADER_VALUE = _term_tags(RdfPatchHeader, "h")
_IRI_PREFIX = tag(RdfIri, "prefix_id", VARINT)
_IRI_NAME = tag(RdfIri, "name_id", VARINT)
_LITERAL_DATATYPE = tag(RdfLiteral, "datatype", VARINT)
# The entries of the three lookups have the same fields.
_ENTRY_ID = tag(RdfNameEntry, "id", VARINT)
_ENTRY_VALUE = tag(RdfNameEntry, "value", BYTES)
_NAME_ROW = _row_tag("name")
_PREFIX_ROW = _row_tag("prefix")
_DATATYPE_ROW = _row_tag("datatype")

_EMPTY = sized(b"")


class PatchEncoder:
    """Encodes the rows of one stream, in their order, as the reference implementation does.

    After an error it is in no state to go on.
    """

    def __init__(self, options: PatchOptions) -> None:
        self._options = options
        self._quads = options.statement_type is StatementType.QUADS
        self._names = EncoderLookup(options.max_name_table_size, "name")
        self._prefixes = EncoderLookup(options.max_prefix_table_size, "prefix")
        self._datatypes = EncoderLookup(options.max_datatype_table_size, "datatype")
        self._has_prefixes = options.max_prefix_table_size > 0
        self._splitter = TermSplitter(prefixes=self._has_prefixes)
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
        self._encoders: dict[str, Callable[[PatchRow], bytes]] = {
            "H": self._header,
            "TX": _mark("transaction_start"),
            "TC": _mark("transaction_commit"),
            "TA": _mark("transaction_abort"),
            "PA": partial(self._namespace, _row_tag("namespace_add")),
            "PD": partial(self._namespace, _row_tag("namespace_delete")),
            "A": partial(self._statement, _row_tag("statement_add")),
            "D": partial(self._statement, _row_tag("statement_delete")),
            "END": _mark("punctuation"),
        }

    def encode(self, row: PatchRow) -> list[bytes]:
        """Return the row's messages: new entries of the lookups, then the row itself.

        The options come before the first one. `END` becomes a punctuation.

        Raises:
            InvalidTermError: a term is none.
            UnwritableRowError: the row misses something, or the stream cannot hold it.
        """
        encoder = self._encoders.get(row.op)
        if encoder is None:
            raise UnwritableRowError(f"op must be one of: {', '.join(OPS)}")
        self._messages = messages = [] if self._row else [self._options_row()]
        self._row += 1
        messages.append(encoder(row))
        return messages

    def _options_row(self) -> bytes:
        options = self._options
        message = RdfPatchOptions(
            statement_type=f"PATCH_STATEMENT_TYPE_{options.statement_type.name}",
            stream_type=f"PATCH_STREAM_TYPE_{options.stream_type.name}",
            generalized_statements=options.generalized,
            rdf_star=options.rdf_star,
            max_name_table_size=options.max_name_table_size,
            max_prefix_table_size=options.max_prefix_table_size,
            max_datatype_table_size=options.max_datatype_table_size,
            version=PROTOCOL_VERSION,
        )
        return RdfPatchRow(options=message).SerializeToString(deterministic=True)

    def _statement(self, row_tag: bytes, row: PatchRow) -> bytes:
        split = self._splitter.split
        _, subject_text, predicate_text, object_text, graph_text, *_ = row
        if subject_text is None or predicate_text is None or object_text is None:
            raise UnwritableRowError("A and D need a subject, a predicate and an object")
        message = b""
        subject = split(subject_text)
        if subject != self._subject:
            self._check_subject(subject)
            message += self._term(_QUAD_S, subject)
            self._subject = subject
        predicate = split(predicate_text)
        if predicate != self._predicate:
            self._check_predicate(predicate)
            message += self._term(_QUAD_P, predicate)
            self._predicate = predicate
        obj = split(object_text)
        if obj != self._object:
            message += self._term(_QUAD_O, obj)
            self._object = obj
        return row_tag + sized(message + self._graph_field(_QUAD_G, graph_text))

    def _namespace(self, row_tag: bytes, row: PatchRow) -> bytes:
        if row.name is None:
            raise UnwritableRowError("PA and PD need a name")
        message = _string(_NAMESPACE_NAME, row.name)
        if row.value is not None:
            value = self._splitter.split(row.value)
            if not isinstance(value, IriParts):
                raise UnwritableRowError("the value of PA and PD must be an IRI")
            message += _NAMESPACE_VALUE + self._iri(value)
        elif row.op == "PA":
            raise UnwritableRowError("PA needs a value")
        # The reference leaves the default graph out here, which repeats the last graph: so it
        # can be left out only where that is the default graph, or where there is none.
        if row.graph is not None or self._graph is not None:
            message += self._graph_field(_NAMESPACE_G, row.graph)
        return row_tag + sized(message)

    def _header(self, row: PatchRow) -> bytes:
        if row.name is None or row.value is None:
            raise UnwritableRowError("H needs a name and a value")
        value = self._term(_HEADER_VALUE, self._splitter.split(row.value))
        return _row_tag("header") + sized(_string(_HEADER_KEY, row.name) + value)

    def _graph_field(self, tags: _TermTags, text: str | None) -> bytes:
        """Return the graph's field: nothing for the last graph, and in a stream of triples."""
        if not self._quads:
            if text is not None:
                raise UnwritableRowError("a stream of triples holds no graphs")
            return b""
        graph = None if text is None else self._splitter.split(text)
        if self._graph_set and graph == self._graph:
            return b""
        self._graph = graph
        self._graph_set = True
        if graph is None:
            return tags.other + _EMPTY
        if isinstance(graph, TripleParts):
            raise UnwritableRowError("a graph cannot be a quoted triple")
        if isinstance(graph, LiteralParts) and not self._options.generalized:
            raise UnwritableRowError("a literal graph needs generalized statements")
        return self._term(tags, graph)

    def _check_subject(self, subject: Parts) -> None:
        if isinstance(subject, LiteralParts) and not self._options.generalized:
            raise UnwritableRowError("a literal subject needs generalized statements")

    def _check_predicate(self, predicate: Parts) -> None:
        if not isinstance(predicate, IriParts) and not self._options.generalized:
            raise UnwritableRowError("a predicate that is not an IRI needs generalized statements")

    def _term(self, tags: _TermTags, parts: Parts) -> bytes:
        """Return a term's field; new entries of the lookups go to the messages before the row."""
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
                self._prefixes, _PREFIX_ROW, parts.prefix
            )
            if prefix != self._last_prefix:
                self._last_prefix = prefix
                message = _IRI_PREFIX + varint(prefix)
        name = self._names.use(parts.name, row) or self._add(self._names, _NAME_ROW, parts.name)
        if name != self._last_name + 1:
            message += _IRI_NAME + varint(name)
        self._last_name = name
        return sized(message) if message else _EMPTY

    def _literal(self, parts: LiteralParts) -> bytes:
        message = parts.message
        if parts.datatype is not None:
            if not self._options.max_datatype_table_size:
                raise UnwritableRowError("a typed literal needs a datatype table")
            datatype = self._datatypes.use(parts.datatype, self._row) or self._add(
                self._datatypes, _DATATYPE_ROW, parts.datatype
            )
            message += _LITERAL_DATATYPE + varint(datatype)
        return sized(message)

    def _quoted(self, parts: TripleParts) -> bytes:
        if not self._options.rdf_star:
            raise UnwritableRowError("a quoted triple needs RDF-star")
        self._check_subject(parts.subject)
        self._check_predicate(parts.predicate)
        return sized(
            self._term(_TRIPLE_S, parts.subject)
            + self._term(_TRIPLE_P, parts.predicate)
            + self._term(_TRIPLE_O, parts.object)
        )

    def _add(self, lookup: EncoderLookup, row_tag: bytes, text: str) -> int:
        """Put a new entry into a lookup, and its message before the row's; return its id."""
        entry, wire_id = lookup.add(text, self._row)
        message = _ENTRY_ID + varint(wire_id) if wire_id else b""
        self._messages.append(row_tag + sized(message + _string(_ENTRY_VALUE, text)))
        return entry


def _mark(field: str) -> Callable[[PatchRow], bytes]:
    """Return what encodes rows that hold nothing but their code."""
    message = _row_tag(field) + _EMPTY
    return lambda _: message


def _string(field_tag: bytes, text: str) -> bytes:
    """Return a field of a string; an empty one is left out."""
    if not text:
        return b""
    try:
        return field_tag + sized(text.encode())
    except UnicodeEncodeError:
        raise UnwritableRowError("a name holds a lone surrogate") from None
