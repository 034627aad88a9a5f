"""Term strings are N-Triples and N-Quads that rdflib reads, and what it writes are terms."""

import pytest
import rdflib
from hypothesis import given

from jelly_spark.core.terms import BlankNode
from tests.conformance.cases import text
from tests.conformance.ntriples import Statement, parse_statements
from tests.interop.rdflib_terms import DEFAULT_GRAPH, dataset_of, graph_of, statements_of
from tests.interop.strategies import generated, rdf11_statements

# rdflib itself calls what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")


@generated
@given(rdf11_statements(quads=False))
def test_rdflib_reads_n_triples(statements: list[Statement]) -> None:
    graph = rdflib.Graph().parse(
        data=lines(statements), format="ntriples", bnode_context=labels(statements)
    )
    assert statements_of(graph) == set(statements)


@generated
@given(rdf11_statements(quads=True))
def test_rdflib_reads_n_quads(statements: list[Statement]) -> None:
    dataset = rdflib.Dataset()
    dataset.parse(data=lines(statements), format="nquads", bnode_context=labels(statements))
    assert statements_of(dataset) == set(statements)


@generated
@given(rdf11_statements(quads=False))
def test_we_read_the_n_triples_of_rdflib(statements: list[Statement]) -> None:
    written = graph_of(statements).serialize(format="ntriples")
    assert set(parse_statements(written)) == set(statements)


@generated
@given(rdf11_statements(quads=True))
def test_we_read_the_n_quads_of_rdflib(statements: list[Statement]) -> None:
    written = dataset_of(statements).serialize(format="nquads")
    found = parse_statements(written)
    # rdflib gives the default graph a name.
    assert {
        (subject, predicate, obj, None if graph == DEFAULT_GRAPH else graph)
        for subject, predicate, obj, graph in found
    } == set(statements)


def lines(statements: list[Statement]) -> str:
    return "".join(f"{text(statement)}\n" for statement in statements)


def labels(statements: list[Statement]) -> dict[str, rdflib.BNode]:
    """Return the blank nodes by label, so that rdflib does not rename them."""
    return {
        term.label: rdflib.BNode(term.label)
        for statement in statements
        for term in statement
        if isinstance(term, BlankNode)
    }
