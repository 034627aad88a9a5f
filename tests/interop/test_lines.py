"""N-Triples and N-Quads: other libraries read what we write, and we read what they write."""

import io
from collections.abc import Iterator
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given

from jelly_spark import codec
from tests.conformance.cases import rows_of, statement_of
from tests.conformance.ntriples import Statement
from tests.interop.oxigraph import fitting, from_oxigraph, to_oxigraph
from tests.interop.rdflib_terms import DEFAULT_GRAPH, dataset_of, graph_of, statements_of
from tests.interop.strategies import generated, rdf11_statements, rdf12_statements
from tests.interop.test_rdflib_text import labels

# rdflib itself calls what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

FORMATS = {"ntriples": pyoxigraph.RdfFormat.N_TRIPLES, "nquads": pyoxigraph.RdfFormat.N_QUADS}


def encode(statements: list[Statement], format: str) -> bytes:
    out = io.BytesIO()
    codec.write(out, rows_of([statements]), format=format)
    return out.getvalue()


def decode(data: bytes, format: str) -> set[Statement]:
    rows: Iterator[Any] = codec.read(data, format=format)
    return {statement_of(row) for row in rows}


@generated
@given(rdf11_statements(quads=False))
def test_rdflib_and_n_triples(statements: list[Statement]) -> None:
    data = encode(statements, "ntriples")
    graph = rdflib.Graph().parse(data=data, format="ntriples", bnode_context=labels(statements))
    assert statements_of(graph) == set(statements)
    written = graph_of(statements).serialize(format="ntriples", encoding="utf-8")
    assert decode(written, "ntriples") == set(statements)


@generated
@given(rdf11_statements(quads=True))
def test_rdflib_and_n_quads(statements: list[Statement]) -> None:
    data = encode(statements, "nquads")
    dataset = rdflib.Dataset()
    dataset.parse(data=data, format="nquads", bnode_context=labels(statements))
    assert statements_of(dataset) == set(statements)
    written = dataset_of(statements).serialize(format="nquads", encoding="utf-8")
    # rdflib gives the default graph a name.
    assert {
        (subject, predicate, obj, None if graph == DEFAULT_GRAPH else graph)
        for subject, predicate, obj, graph in decode(written, "nquads")
    } == set(statements)


@pytest.mark.parametrize("format", FORMATS)
def test_pyoxigraph(format: str) -> None:
    @generated
    @given(rdf12_statements(quads=format == "nquads"))
    def check(drawn: list[Statement]) -> None:
        statements = [fitting(statement) for statement in drawn]
        data = encode(statements, format)
        quads = list(pyoxigraph.parse(data, format=FORMATS[format]))
        assert [from_oxigraph(quad) for quad in quads] == statements
        given = [to_oxigraph(statement) for statement in statements]
        written = pyoxigraph.serialize(
            given if format == "nquads" else [quad.triple for quad in given],
            format=FORMATS[format],
        )
        assert written is not None
        rows: list[Any] = list(codec.read(written, format=format))
        assert [statement_of(row) for row in rows] == statements

    check()
