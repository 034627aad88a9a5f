"""What pyjelly reads and writes, as statements of this package's terms."""

# pyjelly ships no types.
# mypy: disable-error-code="import-untyped"

import io
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import rdflib
from pyjelly.integrations.generic import generic_sink as generic
from pyjelly.integrations.generic.parse import parse_jelly_flat, parse_jelly_grouped
from pyjelly.integrations.generic.serialize import GenericSinkTermEncoder, stream_frames
from pyjelly.options import LookupPreset, StreamParameters
from pyjelly.serialize.ioutils import write_delimited, write_single
from pyjelly.serialize.streams import GraphStream, QuadStream, SerializerOptions, TripleStream

from jelly_spark.codec import JellyRdfOptions, PhysicalType
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, TripleTerm, language_tag
from jelly_spark.core.terms.text import XSD_STRING
from tests.conformance.ntriples import Statement

STREAMS: dict[PhysicalType, type[Any]] = {
    PhysicalType.TRIPLES: TripleStream,
    PhysicalType.QUADS: QuadStream,
    PhysicalType.GRAPHS: GraphStream,
}
"""pyjelly's classes of streams."""


def serializer_options(options: JellyRdfOptions) -> Any:
    """Return pyjelly's options for what ours ask for."""
    return SerializerOptions(
        logical_type=int(options.logical_type),
        frame_size=options.frame_size,
        params=StreamParameters(
            generalized_statements=options.generalized,
            rdf_star=options.rdf_star,
            delimited=options.delimited,
            namespace_declarations=options.namespaces,
            stream_name=options.stream_name,
        ),
        lookup_preset=LookupPreset(
            options.max_name_table_size,
            options.max_prefix_table_size,
            options.max_datatype_table_size,
        ),
    )


def write(
    frames: Iterable[Iterable[Statement]],
    options: JellyRdfOptions,
    metadata: Iterable[dict[str, bytes]] = (),
) -> bytes:
    """Return what pyjelly's generic API writes; each frame is a sink of its own."""
    asked = serializer_options(options)
    stream = STREAMS[options.physical_type](
        encoder=GenericSinkTermEncoder(lookup_preset=asked.lookup_preset), options=asked
    )
    written = []
    for frame in frames:
        sink = generic.GenericStatementSink()
        for statement in frame:
            terms = [generic.DefaultGraph if t is None else to_pyjelly(t) for t in statement]
            if options.physical_type is PhysicalType.TRIPLES:
                sink.add(generic.Triple(*terms[:3]))
            else:
                sink.add(generic.Quad(*terms))
        written += stream_frames(stream, sink)
    for message, entries in zip(written, metadata, strict=False):
        message.metadata.update(entries)
    out = io.BytesIO()
    for message in written:
        (write_delimited if options.delimited else write_single)(message, out)
    return out.getvalue()


def serialize(data: rdflib.Graph | rdflib.Dataset, options: JellyRdfOptions) -> bytes:
    """Return what pyjelly's rdflib integration writes."""
    asked = serializer_options(options)
    asked.params = replace(asked.params, generalized_statements=False, rdf_star=False)
    stream = STREAMS[options.physical_type].for_rdflib(asked)
    return data.serialize(encoding="utf-8", format="jelly", options=asked, stream=stream)


def read(data: bytes) -> Iterator[Statement]:
    """Yield what pyjelly's generic API reads, as one stream."""
    return map(from_statement, parse_jelly_flat(io.BytesIO(data)))


def read_frames(data: bytes) -> Iterator[tuple[dict[str, bytes], list[Statement]]]:
    """Yield what pyjelly's generic API reads, a frame at a time, each with its metadata."""
    metadata: ContextVar[Any] = ContextVar("metadata")
    for sink in parse_jelly_grouped(io.BytesIO(data), frame_metadata=metadata):
        yield dict(metadata.get()), list(map(from_statement, sink))


def from_statement(statement: Any) -> Statement:
    """Return the statement that a triple or a quad of pyjelly's is."""
    subject, predicate, obj = map(from_pyjelly, statement[:3])
    graph = statement[3] if len(statement) == 4 else generic.DefaultGraph
    return subject, predicate, obj, None if graph is generic.DefaultGraph else from_pyjelly(graph)


def to_pyjelly(term: Term) -> Any:
    """Return the term of pyjelly's generic API that a term is."""
    if isinstance(term, Iri):
        return generic.IRI(term.value)
    if isinstance(term, BlankNode):
        return generic.BlankNode(term.label)
    if isinstance(term, Literal):
        return generic.Literal(term.lexical, language_tag(term), term.datatype)
    return generic.Triple(*map(to_pyjelly, (term.subject, term.predicate, term.object)))


def from_pyjelly(term: Any) -> Term:
    """Return the term that one of pyjelly's generic API is."""
    if isinstance(term, generic.IRI):
        return Iri(term._iri)
    if isinstance(term, generic.BlankNode):
        return BlankNode(term._identifier)
    if isinstance(term, generic.Literal):
        datatype = None if term._datatype == XSD_STRING else term._datatype
        return Literal(term._lex, term._langtag, datatype)
    return TripleTerm(*map(from_pyjelly, term))
