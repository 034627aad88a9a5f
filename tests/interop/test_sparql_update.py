"""SPARQL Update: stores that take it have then what the patch says."""

import io
from collections.abc import Iterable

import pyoxigraph
import pytest
import rdflib.plugins.sparql
from hypothesis import assume, given
from hypothesis import strategies as st

from jelly_spark import codec
from jelly_spark.codec import PatchRow, SparqlUpdateOptions
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, TripleTerm, format_term
from tests.conformance.ntriples import Statement
from tests.interop.oxigraph import fitting, from_oxigraph
from tests.interop.rdflib_terms import statements_of
from tests.interop.strategies import generated, rdf11_statements, rdf12_statements

# rdflib itself calls what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

BASE = "https://example.org/.well-known/genid/"
Changes = list[tuple[bool, Statement]]


@st.composite
def changes(draw: st.DrawFn, drawn: st.SearchStrategy[list[Statement]]) -> Changes:
    """Draw statements that are added (True) or deleted, some of them several times."""
    statements = [fitting(_skolemized(s)) for s in draw(drawn)]
    return draw(st.lists(st.tuples(st.booleans(), st.sampled_from(statements)), max_size=20))


def _skolemized(statement: Statement) -> Statement:
    subject, predicate, obj, graph = statement
    return _skolem(subject), _skolem(predicate), _skolem(obj), graph and _skolem(graph)


def _skolem(term: Term) -> Term:
    if isinstance(term, Literal) and term.datatype is not None:
        # pyoxigraph's store writes numbers in its own way.
        return Literal(term.lexical, None, "urn:x:datatype")
    if isinstance(term, TripleTerm):
        return TripleTerm(*map(_skolem, (term.subject, term.predicate, term.object)))
    return Iri(BASE + term.label) if isinstance(term, BlankNode) else term


def _back(term: Term) -> Term:
    if isinstance(term, TripleTerm):
        return TripleTerm(*map(_back, (term.subject, term.predicate, term.object)))
    if isinstance(term, Iri) and term.value.startswith(BASE):
        return BlankNode(term.value.removeprefix(BASE))
    return term


_RDF11 = changes(rdf11_statements(quads=True))
_RDF12 = changes(rdf12_statements(quads=True))


def update_of(changes: Changes, batch_size: int) -> str:
    """Return the update of a patch with these changes, which has blank nodes again."""
    rows = [PatchRow("H", name="id", value="<urn:uuid:1>"), PatchRow("TX")]
    for adds, statement in changes:
        subject, predicate, obj, graph = (
            None if term is None else format_term(_back(term)) for term in statement
        )
        rows += [PatchRow("A" if adds else "D", subject, predicate, obj, graph)]
        if len(rows) % 5 == 0:
            rows += [PatchRow("TC"), PatchRow("PA", name="ex", value="<http://e/>"), PatchRow("TX")]
    rows += [PatchRow("TC"), PatchRow("H", name="end", value='"\\n"')]
    out = io.BytesIO()
    options = SparqlUpdateOptions(batch_size=batch_size, skolem_base=BASE)
    codec.write(out, rows, options=options)
    return out.getvalue().decode()


def effect_of(changes: Changes, before: Iterable[Statement]) -> set[Statement]:
    state = set(before)
    for adds, statement in changes:
        (state.add if adds else state.discard)(statement)
    return state


@generated
@given(_RDF12, _RDF12, st.sampled_from([1, 2, 1000]))
def test_pyoxigraph(first: Changes, second: Changes, batch_size: int) -> None:
    store = pyoxigraph.Store()
    store.update(update_of(first, batch_size))
    store.update(update_of(second, batch_size))
    assert {from_oxigraph(quad) for quad in store} == effect_of(first + second, ())


@pytest.fixture
def default_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """rdflib's setting by which operations on the default graph work in a dataset."""
    monkeypatch.setattr(rdflib.plugins.sparql, "SPARQL_DEFAULT_GRAPH_UNION", False)


@pytest.mark.usefixtures("default_graph")
def test_rdflib() -> None:
    @generated
    @given(_RDF11, st.sampled_from([1, 2, 1000]))
    def check(drawn: Changes, batch_size: int) -> None:
        # rdflib takes no request without operations.
        assume(drawn)
        dataset = rdflib.Dataset()
        dataset.update(update_of(drawn, batch_size))
        assert statements_of(dataset) == effect_of(drawn, ())

    check()


@pytest.mark.usefixtures("default_graph")
@pytest.mark.parametrize("text", ["\\u0041", "\\\\U00000041 \\", "\\n\n\r\t\"'", "#é😀\u2028"])
def test_text_comes_as_it_is(text: str) -> None:
    statement = (Iri("urn:s"), Iri("urn:p"), Literal(text), None)
    update = update_of([(True, statement)], 1000)
    store = pyoxigraph.Store()
    store.update(update)
    dataset = rdflib.Dataset()
    dataset.update(update)
    assert {from_oxigraph(quad) for quad in store} == statements_of(dataset) == {statement}


def test_updates_without_operations() -> None:
    store = pyoxigraph.Store()
    for changes_of_none in ([], [PatchRow("H", name="id", value="<urn:uuid:1>")]):
        out = io.BytesIO()
        codec.write(out, changes_of_none, format="sparql_update")
        store.update(out.getvalue().decode())
    assert len(store) == 0
