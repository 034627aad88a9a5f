"""Encoding rows as the messages of Jelly-RDF rows."""

from __future__ import annotations

from typing import Final

from jelly_spark._proto.rdf_pb2 import (
    RdfGraphStart,
    RdfNamespaceDeclaration,
    RdfQuad,
    RdfStreamOptions,
    RdfStreamRow,
    RdfTriple,
)
from jelly_spark.core.rows import RdfRow, triple_columns
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.jelly_rdf.options import (
    NAMESPACES_VERSION,
    VERSION,
    JellyRdfOptions,
    PhysicalType,
)
from jelly_spark.jelly.encoding.jelly_encoder import JellyEncoder
from jelly_spark.jelly.encoding.term_encoder import TermTags, TripleTags
from jelly_spark.jelly.options import shared_fields
from jelly_spark.jelly.wire import EMPTY, sized, string_field, tag

_TRIPLE_ROW: Final = tag(RdfStreamRow, "triple")
_TRIPLE: Final = TripleTags(RdfTriple)
_QUAD_ROW: Final = tag(RdfStreamRow, "quad")
_QUAD: Final = TripleTags(RdfQuad)
_QUAD_GRAPH: Final = TermTags(RdfQuad, "g")
_START_ROW: Final = tag(RdfStreamRow, "graph_start")
_START_GRAPH: Final = TermTags(RdfGraphStart, "g")
_END_MESSAGE: Final = tag(RdfStreamRow, "graph_end") + EMPTY
_NAMESPACE_ROW: Final = tag(RdfStreamRow, "namespace")
_NAMESPACE_NAME: Final = tag(RdfNamespaceDeclaration, "name")
_NAMESPACE_VALUE: Final = tag(RdfNamespaceDeclaration, "value")


class JellyRdfEncoder(JellyEncoder[JellyRdfOptions]):
    """Encodes the rows of one Jelly-RDF stream; see `JellyEncoder`.

    A restart point must not be within a graph.
    """

    def __init__(self, options: JellyRdfOptions) -> None:
        super().__init__(options, RdfStreamRow)
        self._in_graph = False
        self._triples = options.physical_type is PhysicalType.TRIPLES
        self._quads = options.physical_type is PhysicalType.QUADS

    def encode(self, row: RdfRow) -> list[bytes]:
        """Return the messages of a row: its new lookup entries, then the row itself.

        The options row precedes the first row. In a stream of physical type GRAPHS, a row whose
        graph is not the open one is preceded by the end of that graph and the start of its own.

        Raises:
            InvalidTermError: a string is not a term.
            UnwritableRowError: the row lacks a column, or the stream's options do not allow it.
        """
        messages: list[bytes] = [] if self.begun else self.begin()
        if row.name is not None:
            self._namespace(messages, row)
        elif self._triples:
            self._triple(messages, row)
        elif self._quads:
            self._quad(messages, row)
        else:
            self._triple_of_graph(messages, row)
        return messages

    def _options_message(self) -> RdfStreamOptions:
        options = self._options
        return RdfStreamOptions(
            stream_name=options.stream_name,
            physical_type=f"PHYSICAL_STREAM_TYPE_{options.physical_type.name}",
            logical_type=f"LOGICAL_STREAM_TYPE_{options.logical_type.name}",
            version=NAMESPACES_VERSION if options.namespaces else VERSION,
            **shared_fields(options),
        )

    def end_graph(self) -> list[bytes]:
        """Return the message that ends the open graph; an empty list if none is open."""
        if not self._in_graph:
            return []
        self._in_graph = False
        self._terms.forget_graph()
        return [_END_MESSAGE]

    def _triple(self, messages: list[bytes], row: RdfRow) -> None:
        subject, predicate, obj = triple_columns(row)
        if row.graph is not None:
            raise UnwritableRowError(
                "a stream of triples cannot hold a graph: set physicalType to QUADS or GRAPHS"
            )
        self._terms.start_row(messages)
        messages.append(_TRIPLE_ROW + sized(self._terms.triple(_TRIPLE, subject, predicate, obj)))

    def _quad(self, messages: list[bytes], row: RdfRow) -> None:
        subject, predicate, obj = triple_columns(row)
        self._terms.start_row(messages)
        triple = self._terms.triple(_QUAD, subject, predicate, obj)
        messages.append(_QUAD_ROW + sized(triple + self._terms.graph(_QUAD_GRAPH, row.graph)))

    def _triple_of_graph(self, messages: list[bytes], row: RdfRow) -> None:
        subject, predicate, obj = triple_columns(row)
        terms = self._terms
        entries: list[bytes] = []
        terms.start_row(entries)
        graph = terms.graph(_START_GRAPH, row.graph)
        if graph:
            if self._in_graph:
                messages.append(_END_MESSAGE)
            self._in_graph = True
            messages += entries
            messages.append(_START_ROW + sized(graph))
        terms.start_row(messages)
        messages.append(_TRIPLE_ROW + sized(terms.triple(_TRIPLE, subject, predicate, obj)))

    def _namespace(self, messages: list[bytes], row: RdfRow) -> None:
        subject, predicate, obj, graph, name, value, *_ = row
        if not self._options.namespaces:
            raise UnwritableRowError("a namespace needs the option namespaces: set it to true")
        if not (subject is predicate is obj is graph is None):
            raise UnwritableRowError("a row must be a statement or a namespace, not both")
        if name is None or value is None:
            raise UnwritableRowError("a namespace needs a name and a value")
        self._terms.start_row(messages)
        iri = self._terms.iri(value, "the value of a namespace must be an IRI")
        declaration = string_field(_NAMESPACE_NAME, name) + _NAMESPACE_VALUE + iri
        messages.append(_NAMESPACE_ROW + sized(declaration))
