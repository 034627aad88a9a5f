"""Patches applied to datasets and graphs of rdflib."""

from pathlib import Path

import pytest
import rdflib
from hypothesis import given

from jelly_spark import patches
from jelly_spark.codec import PatchRow
from jelly_spark.errors import OptionError, PatchError, UnwritableRowError
from jelly_spark.integrations.rdflib import apply_patch, rows, to_rdflib
from jelly_spark.patches import Statement
from tests.integrations.parity_files import committed_rows, each_file, holdable
from tests.integrations.strategies import patches as some_patches

S, P = "<urn:x:s>", "<urn:x:p>"


def statements(target: rdflib.Graph) -> set[Statement]:
    return {Statement(*row[:4]) for row in rows(target)}  # type: ignore[arg-type]


@given(some_patches(), some_patches())
def test_datasets(first: list[PatchRow], second: list[PatchRow]) -> None:
    dataset = rdflib.Dataset()
    apply_patch(dataset, first)
    state, _ = patches.state(first)
    assert statements(dataset) == state
    apply_patch(dataset, second)
    assert statements(dataset) == patches.apply(state, second)[0]


@given(some_patches(quads=False))
def test_graphs(changes: list[PatchRow]) -> None:
    graph = rdflib.Graph()
    apply_patch(graph, changes)
    assert statements(graph) == patches.state(changes)[0]


@given(some_patches(quads=False))
def test_graphs_of_datasets(changes: list[PatchRow]) -> None:
    """Other graphs of the same store are left alone, even if they have the same statements."""
    dataset = rdflib.Dataset()
    apply_patch(dataset, [row._replace(op="A") for row in changes if row.op == "D"])
    before = statements(dataset)
    graph = dataset.graph("urn:x:g")
    apply_patch(graph, changes)
    assert statements(graph) == patches.state(changes)[0]
    assert {statement for statement in statements(dataset) if statement.graph is None} == before


@each_file
def test_parity_files(path: Path) -> None:
    changes = committed_rows(path.read_bytes())
    held = holdable(changes, to_rdflib)
    held = [row for row in held if not (row.graph or "").startswith('"')]
    dataset = rdflib.Dataset()
    apply_patch(dataset, held)
    assert statements(dataset) == patches.state(held)[0]
    if any(row.op == "A" and "<<" in str(row[1:5]) for row in patches.squash(changes)):
        with pytest.raises(UnwritableRowError, match="rdflib"):
            apply_patch(dataset, changes)
        assert statements(dataset) == patches.state(held)[0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (PatchRow("A", S, P, f"<<( {S} {P} _:o )>>"), "rdflib has no triple terms; in row .*<<"),
        (PatchRow("D", S, P, '"a"@en--ltr'), "rdflib has no base directions"),
        (PatchRow("A", S, P), "need a subject, a predicate and an object"),
        (PatchRow("A", S, P, "o"), "expected an RDF term"),
        (PatchRow("A", S, P, S, '"g"'), "the name of a graph in rdflib must be"),
        (PatchRow("A", S, P, S, "<>"), "the name of a graph in rdflib must be"),
        (PatchRow("D", S, P, S, "<urn:x-rdflib:default>"), "own name of the default graph"),
        (PatchRow("PA", name="a b", value="<urn:x:>"), "must not have a space"),
        (PatchRow("PA", name="a", value="_:b"), "the value of PA and PD must be an IRI"),
        (PatchRow("PA", name="a"), "PA needs a value"),
        (PatchRow("PD"), "need a name"),
        (PatchRow("X"), "op must be one of"),  # type: ignore[arg-type]
    ],
)
def test_bad_rows_change_nothing(row: PatchRow, message: str) -> None:
    dataset = rdflib.Dataset()
    apply_patch(dataset, [PatchRow("A", S, P, '"before"')])
    before, prefixes = statements(dataset), dict(dataset.namespaces())
    good = [PatchRow("A", S, P, '"new"'), PatchRow("D", S, P, '"before"')]
    good.append(PatchRow("PA", name="new", value="<urn:x:new>"))
    with pytest.raises(UnwritableRowError, match=message):
        apply_patch(dataset, [*good, row])
    assert (statements(dataset), dict(dataset.namespaces())) == (before, prefixes)


def test_open_transactions_change_nothing() -> None:
    graph = rdflib.Graph()
    with pytest.raises(PatchError):
        apply_patch(graph, [PatchRow("A", S, P, S), PatchRow("TX"), PatchRow("A", S, P, P)])
    assert len(graph) == 0


def test_graphs_have_no_graphs() -> None:
    with pytest.raises(UnwritableRowError, match="a Graph of rdflib has no named graphs"):
        apply_patch(rdflib.Graph(), [PatchRow("A", S, P, S, S)])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("target", [None, "graph", rdflib.Graph, rdflib.ConjunctiveGraph()])
def test_other_targets(target: rdflib.Graph) -> None:
    with pytest.raises(OptionError, match="expected a Dataset or a Graph of rdflib"):
        apply_patch(target, [])


def test_prefixes() -> None:
    dataset = rdflib.Dataset()
    dataset.bind("shop", "http://old.example/")
    changes = [
        PatchRow("PA", name="shop", value="<http://shop.example/>"),
        PatchRow("PA", name="", value="<http://empty.example/>"),
        PatchRow("PA", name="gone", value="<http://gone.example/>"),
        PatchRow("PD", name="gone"),
        *(PatchRow("TX"), PatchRow("PA", name="no", value="<urn:x:no>"), PatchRow("TA")),
    ]
    apply_patch(dataset, changes)
    found = {name: str(iri) for name, iri in dataset.namespaces()}
    assert found["shop"] == "http://shop.example/"
    assert found[""] == "http://empty.example/"
    assert {"gone", "no"}.isdisjoint(found)


def test_both_forms_of_a_string_are_deleted() -> None:
    graph = rdflib.Graph()
    subject, predicate = rdflib.URIRef("urn:x:s"), rdflib.URIRef("urn:x:p")
    graph.add((subject, predicate, rdflib.Literal("a")))
    graph.add((subject, predicate, rdflib.Literal("a", datatype=rdflib.XSD.string)))
    apply_patch(graph, [PatchRow("D", S, P, '"a"')])
    assert len(graph) == 0
