"""Decoding the messages of Jelly-RDF rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NoReturn

from google.protobuf.message import Message

from jelly_spark._proto.rdf_pb2 import (
    RdfGraphStart,
    RdfNamespaceDeclaration,
    RdfQuad,
    RdfStreamOptions,
    RdfStreamRow,
    RdfTriple,
)
from jelly_spark.core.columns import Columns
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import RdfRow, RowOp
from jelly_spark.formats.jelly_rdf.options import (
    NAMESPACES_VERSION,
    VERSION,
    JellyRdfOptions,
    LogicalType,
    PhysicalType,
)
from jelly_spark.jelly.decoding.fast_path import FastRows
from jelly_spark.jelly.decoding.jelly_decoder import JellyDecoder
from jelly_spark.jelly.decoding.term_decoder import KIND_FROM
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.options import ReadLimits, shared_options

_BASE_TYPES: Final = (
    LogicalType.FLAT_TRIPLES,
    LogicalType.FLAT_QUADS,
    LogicalType.GRAPHS,
    LogicalType.DATASETS,
)


class JellyRdfDecoder(JellyDecoder[RdfRow, JellyRdfOptions]):
    """Decodes the rows of one Jelly-RDF stream, in order.

    Args:
        start: the place in the file where the stream begins.
        max_row_size: the reader's option.
        namespaces: whether to return namespaces as rows.
        strict: whether to enforce rules of the specification that the reference implementation does
            not enforce: a graph in the first quad, only features that the options announce, and an
            end of each graph (Jelly-RDF, "Stream options").
        limits: the largest lookup tables that are accepted.
    """

    # Set by the options row.
    _physical: PhysicalType

    def __init__(
        self,
        start: RestartPoint,
        max_row_size: int,
        *,
        namespaces: bool,
        strict: bool,
        limits: ReadLimits,
    ) -> None:
        super().__init__(RdfStreamRow, start, max_row_size)
        self._namespaces = namespaces
        self._strict = strict
        self._limits = limits
        self._start = start
        self._frame = start.frames
        self._namespace_count = start.namespaces
        self._seq = start.rows if namespaces else start.rows - start.namespaces
        # In a stream of physical type GRAPHS: whether a graph is open, and its name; None is the
        # default graph.
        self._in_graph = False
        self._graph: str | None = None

    def end_frame(self) -> None:
        """Count the frame. Its end does not stand for a row."""
        self._frame += 1

    def skip_frames(self, count: int) -> None:
        """Count the frames."""
        self._frame += count

    def end_stream(self) -> None:
        """Check that the stream may end here: if decoding is strict, not within a graph."""
        if self._strict:
            self._check_no_graph("the end of the input")

    def end_range(self) -> None:
        """Check that the restart range may end here: not within a graph."""
        self._check_no_graph("a restart point")

    def position(self, offset: int, frames: int) -> RestartPoint:
        """Return the current place in the file; see `JellyDecoder.position`."""
        namespaces = self._namespace_count
        rows = self._seq if self._namespaces else self._seq + namespaces
        # RDF data has no patches and transactions. If the index counts some, repeat the counts.
        return self._start._replace(offset=offset, frames=frames, rows=rows, namespaces=namespaces)

    def _check_no_graph(self, found: str) -> None:
        if self._in_graph:
            raise Violation("the end of the graph", found, in_row=False)

    def _read_options(self, message: RdfStreamOptions) -> JellyRdfOptions:
        """Check and return the options (Jelly-RDF, "Stream options")."""
        version = message.version
        if not VERSION <= version <= NAMESPACES_VERSION:
            raise Violation(f"version {VERSION} or {NAMESPACES_VERSION}", f"version {version}")
        if int(message.physical_type) not in tuple(PhysicalType):
            raise Violation("physical type 1, 2 or 3", f"physical type {message.physical_type}")
        physical = PhysicalType(message.physical_type)
        logical = _logical_type(message.logical_type)
        if not logical.fits(physical):
            raise Violation(f"a logical type that fits physical type {physical.name}", logical.name)
        self._limits.check(message)
        return JellyRdfOptions(
            physical_type=physical,
            logical_type=logical,
            stream_name=message.stream_name,
            namespaces=version == NAMESPACES_VERSION,
            **shared_options(message),
        )

    def _begin(self, options: JellyRdfOptions) -> Mapping[str, Callable[[Any], RdfRow | None]]:
        announces_all = options.rdf_star and options.generalized
        is_checked = self._strict and not announces_all
        self._terms.check = partial(_check_feature, options) if is_checked else None
        self._physical = physical = options.physical_type
        if physical is not PhysicalType.QUADS:
            self._terms.hold_graph(None)
        kinds: dict[str, Callable[[Any], RdfRow | None]] = {
            kind: partial(_refuse, kind, f"physical type {physical.name}")
            for kind in ("triple", "quad", "graph_start", "graph_end")
        }
        if physical is PhysicalType.TRIPLES:
            kinds["triple"] = self._triple
        elif physical is PhysicalType.QUADS:
            kinds["quad"] = self._quad
        else:
            kinds["triple"] = self._triple_of_graph
            kinds["graph_start"] = self._start_graph
            kinds["graph_end"] = self._end_graph
        if options.namespaces:
            kinds["namespace"] = self._namespace
        else:
            kinds["namespace"] = partial(_refuse, "namespace", f"version {VERSION}")
        return kinds

    def _fast_statements(self) -> tuple[type[Message], str, Mapping[str, RowOp]]:
        if self._physical is PhysicalType.QUADS:
            return RdfQuad, "spog", {"quad": "A"}
        return RdfTriple, "spo", {"triple": "A"}

    def _allows_fast_statements(self) -> bool:
        return (
            self._terms.check is None
            and (self._in_graph or self._physical is not PhysicalType.GRAPHS)
            and self._terms.holds_short_terms()
        )

    def _number(self, statements: FastRows) -> Columns:
        seq = self._seq
        self._seq += statements.count
        return (
            statements.subjects,
            statements.predicates,
            statements.objects,
            statements.graphs,
            None,
            None,
            self._frame,
            range(seq, self._seq),
        )

    def _triple(self, triple: RdfTriple) -> RdfRow:
        return self._statement(triple)

    def _triple_of_graph(self, triple: RdfTriple) -> RdfRow:
        if not self._in_graph:
            raise Violation("the start of a graph", "a triple")
        return self._statement(triple)

    def _statement(self, triple: RdfTriple) -> RdfRow:
        self._terms.text.count(self._graph)
        return self._row(*self._terms.triple(triple), self._graph)

    def _quad(self, quad: RdfQuad) -> RdfRow:
        triple = self._terms.triple(quad)
        return self._row(*triple, self._terms.repeated_graph(quad, required=self._strict))

    def _row(
        self, subject: str | None, predicate: str | None, obj: str | None, graph: str | None
    ) -> RdfRow:
        seq = self._seq
        self._seq = seq + 1
        return RdfRow(subject, predicate, obj, graph, None, None, self._frame, seq)

    def _start_graph(self, start: RdfGraphStart) -> None:
        if self._in_graph:
            raise Violation("the end of the graph", "the start of another graph")
        field: str | None = start.WhichOneof("graph")
        if field is None:
            raise Violation("a graph", "no graph")
        self._graph = self._terms.graph(start, field)
        self._terms.hold_graph(self._graph)
        self._in_graph = True

    def _end_graph(self, _: object) -> None:
        if not self._in_graph:
            raise Violation("the start of a graph", "the end of a graph")
        self._in_graph = False

    def _namespace(self, namespace: RdfNamespaceDeclaration) -> RdfRow | None:
        if not namespace.HasField("value"):
            raise Violation("the IRI of the namespace", "no IRI")
        self._terms.text.count(namespace.name)
        # Decode the IRI even if the row is not returned, because it changes the previous ids.
        value = self._terms.iri(namespace.value)
        self._namespace_count += 1
        if not self._namespaces:
            return None
        seq = self._seq
        self._seq = seq + 1
        return RdfRow(None, None, None, None, namespace.name, value, self._frame, seq)


def _logical_type(number: int) -> LogicalType:
    """Return the logical type with this number, or its base type if the number is unknown.

    The last decimal digit of a type is its base type (RDF Stream Taxonomy), so readers can handle
    the types of later versions.

    Raises:
        Violation: the last digit of an unknown number is not from 1 to 4.
    """
    if number in tuple(LogicalType):
        return LogicalType(number)
    base = number % 10
    if number < 10 or base not in _BASE_TYPES:
        raise Violation("a logical type whose last digit is from 1 to 4", f"logical type {number}")
    return LogicalType(base)


def _refuse(kind: str, stream: str, _: object) -> NoReturn:
    raise Violation(f"no {kind} row in a stream of {stream}", f"a {kind} row")


def _check_feature(options: JellyRdfOptions, field: str) -> None:
    """Check that the options of a stream announce the feature that a term needs.

    Args:
        options: the options.
        field: the field with the term, such as `s_literal`.

    Raises:
        Violation: the term is a triple term, or makes a statement generalized, and the options do
            not announce that.
    """
    place, kind = field[0], field[KIND_FROM:]
    if kind == "triple_term" and not options.rdf_star:
        raise _not_announced("triple term", "RDF-star")
    is_generalized = kind != "iri" if place == "p" else kind == "literal" and place in "sg"
    if is_generalized and not options.generalized:
        raise _not_announced("generalized statement", "generalized statements")


def _not_announced(found: str, feature: str) -> Violation:
    return Violation(f"no {found}, since the options do not announce {feature}", f"a {found}")
