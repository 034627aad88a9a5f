"""Turtle and TriG: other libraries read what we write."""

import io

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from rdflib.compare import isomorphic

from jelly_spark import codec
from jelly_spark.codec import RdfOptions
from tests.conformance.cases import rows_of
from tests.conformance.ntriples import Statement
from tests.interop.oxigraph import fitting, from_oxigraph
from tests.interop.rdflib_terms import graph_of
from tests.interop.strategies import generated, rdf11_statements, rdf12_statements

# rdflib warns of numbers that are none.
pytestmark = pytest.mark.filterwarnings("ignore:Serializing weird numerical:UserWarning")

FORMATS = {"turtle": pyoxigraph.RdfFormat.TURTLE, "trig": pyoxigraph.RdfFormat.TRIG}
PREFIXES = {
    "": "http://a.example/",
    "b.c": "http://b.example/#",
    "true": "urn:x:",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def encode(statements: list[Statement], syntax: str) -> bytes:
    out = io.BytesIO()
    codec.write(out, rows_of([statements]), options=RdfOptions(syntax, PREFIXES))
    return out.getvalue()


@generated
@given(rdf11_statements(quads=False))
def test_rdflib(statements: list[Statement]) -> None:
    """rdflib renames blank nodes, and normalizes numbers without quotes, whatever its settings."""
    with pytest.MonkeyPatch.context() as settings:
        settings.setattr(rdflib, "NORMALIZE_LITERALS", True)
        graph = rdflib.Graph().parse(data=encode(statements, "turtle"), format="turtle")
        assert isomorphic(graph, graph_of(statements))


@pytest.mark.parametrize("syntax", FORMATS)
def test_pyoxigraph(syntax: str) -> None:
    @generated
    @given(rdf12_statements(quads=syntax == "trig"))
    def check(drawn: list[Statement]) -> None:
        statements = [fitting(statement) for statement in drawn]
        quads = pyoxigraph.parse(encode(statements, syntax), format=FORMATS[syntax])
        assert [from_oxigraph(quad) for quad in quads] == statements

    check()
