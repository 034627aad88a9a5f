"""pyjelly's rdflib integration and both codecs read each other's files."""

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark.codec import JellyRdfOptions, PhysicalType, RdfRow
from tests.codecs import Codec
from tests.conformance.cases import decode, frames, rows_of
from tests.conformance.ntriples import Statement
from tests.interop import pyjelly_files
from tests.interop.rdflib_terms import dataset_of, graph_of, statements_of
from tests.interop.strategies import generated, rdf11_statements
from tests.interop.streams import FLAT, kinds, options

# rdflib itself calls what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")


def stream(data: st.DataObject, kind: PhysicalType) -> list[Statement]:
    return data.draw(rdf11_statements(quads=kind is not PhysicalType.TRIPLES))


def parse(written: bytes, kind: PhysicalType) -> rdflib.Graph | rdflib.Dataset:
    data = rdflib.Graph() if kind is PhysicalType.TRIPLES else rdflib.Dataset()
    data.parse(data=written, format="jelly")
    return data


@kinds
@generated
@given(st.data())
def test_rdflib_reads_ours(codec: Codec, kind: PhysicalType, data: st.DataObject) -> None:
    statements = stream(data, kind)
    written = codec.encode(rows_of([statements]), data.draw(options(kind)))
    assert statements_of(parse(written, kind)) == set(statements)


@kinds
@generated
@given(st.data())
def test_we_read_rdflibs(codec: Codec, kind: PhysicalType, data: st.DataObject) -> None:
    statements = stream(data, kind)
    asked = data.draw(options(kind))
    made = graph_of(statements) if kind is PhysicalType.TRIPLES else dataset_of(statements)
    found = frames(decode(codec, pyjelly_files.serialize(made, asked)))
    assert {statement for frame in found for statement in frame} == set(statements)


NAMESPACES = {"ex": "http://example.org/", "": "http://example.org/#", "u": "urn:x:"}


@kinds
def test_rdflib_reads_our_namespaces(codec: Codec, kind: PhysicalType) -> None:
    rows = [RdfRow(name=name, value=f"<{iri}>") for name, iri in NAMESPACES.items()]
    rows.append(RdfRow("<http://example.org/s>", "<urn:x:p>", "_:o"))
    written = codec.encode(rows, JellyRdfOptions(physical_type=kind, namespaces=True))
    found = dict(parse(written, kind).namespaces())
    assert {name: str(found[name]) for name in NAMESPACES} == NAMESPACES


@kinds
def test_we_read_the_namespaces_of_rdflib(codec: Codec, kind: PhysicalType) -> None:
    made = rdflib.Graph() if kind is PhysicalType.TRIPLES else rdflib.Dataset()
    for name, iri in NAMESPACES.items():
        made.bind(name, iri)
    made.add((rdflib.URIRef("urn:x:s"), rdflib.URIRef("urn:x:p"), rdflib.Literal("o")))
    asked = JellyRdfOptions(physical_type=kind, logical_type=FLAT[kind], namespaces=True)
    rows = decode(codec, pyjelly_files.serialize(made, asked))
    found = {row.name: row.value for row in rows if row.name is not None}
    assert {name: found[name] for name in NAMESPACES} == {
        name: f"<{iri}>" for name, iri in NAMESPACES.items()
    }
    assert [row.object for row in rows if row.name is None] == ['"o"']
