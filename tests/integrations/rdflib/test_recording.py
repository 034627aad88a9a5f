"""Patches recorded from the changes of datasets and graphs of rdflib."""

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.plugins.stores.auditable import AuditableStore
from rdflib.plugins.stores.memory import Memory, SimpleMemory

from jelly_spark import codec, patches
from jelly_spark.codec import PatchRow
from jelly_spark.errors import InvalidTermError, OptionError, UnwritableRowError
from jelly_spark.integrations.rdflib import Recording, apply_patch, record, rows, to_rdflib
from jelly_spark.patches import Statement
from tests.integrations.strategies import patches as some_patches

S, P, OBJ = (rdflib.URIRef(f"urn:x:{name}") for name in "spo")


def statements(target: rdflib.Graph) -> set[Statement]:
    return {Statement(*row[:4]) for row in rows(target)}  # type: ignore[arg-type]


def ops(recording: Recording) -> list[str]:
    return [" ".join(filter(None, row[:7])) for row in recording]


@given(some_patches(), some_patches(), st.booleans())
def test_the_patch_is_the_change(first: list[PatchRow], second: list[PatchRow], net: bool) -> None:
    dataset = rdflib.Dataset()
    apply_patch(dataset, first)
    before = statements(dataset)
    with record(dataset, net=net) as patch:
        # Change by change, not the net effect of all.
        for row in second:
            if row.op in ("A", "D"):
                apply_patch(dataset, [row])
    after = statements(dataset)
    assert patches.apply(before, patch)[0] == after
    assert patches.apply(before, patch, strict=True)[2] == []
    if net:
        assert patches.apply(after, patches.invert(patch))[0] == before
        assert list(patch) == patches.diff(before, after)


@given(some_patches(quads=False))
def test_graphs(changes: list[PatchRow]) -> None:
    dataset = rdflib.Dataset()
    graph = dataset.graph("urn:x:g")
    with record(graph) as patch:
        apply_patch(graph, changes)
        dataset.add((S, P, OBJ))
    assert statements(graph) == patches.state(patch)[0]


def test_every_way_to_change_a_dataset() -> None:
    dataset = rdflib.Dataset()
    dataset.add((S, P, rdflib.Literal("before")))
    graph = dataset.graph("urn:x:g")
    with record(dataset, net=False) as patch:
        dataset.add((S, P, rdflib.Literal("before")))
        graph.add((S, P, rdflib.Literal("before")))
        dataset.addN([(S, P, rdflib.Literal(1), graph)])
        graph.set((S, P, rdflib.Literal(2)))
        dataset.parse(data="<urn:x:s> <urn:x:p> <urn:x:parsed> .", format="turtle")
        dataset.update("DELETE DATA { <urn:x:s> <urn:x:p> 'before' }")
        dataset.update("INSERT DATA { GRAPH <urn:x:h> { <urn:x:s> <urn:x:p> 'sparql' } }")
        dataset.remove_graph(graph)
        dataset.graph("urn:x:h").remove((None, None, rdflib.Literal("sparql")))
        graph += rdflib.Graph().add((S, P, OBJ))
        dataset.bind("new", "http://new.example/")
    begin, end = "A <urn:x:s> <urn:x:p>", "D <urn:x:s> <urn:x:p>"
    integer = "^^<http://www.w3.org/2001/XMLSchema#integer>"
    assert ops(patch) == [
        "TX",
        "PA new <http://new.example/>",
        f'{begin} "before" <urn:x:g>',
        f'{begin} "1"{integer} <urn:x:g>',
        f'{end} "1"{integer} <urn:x:g>',
        f'{end} "before" <urn:x:g>',
        f'{begin} "2"{integer} <urn:x:g>',
        f"{begin} <urn:x:parsed>",
        f'{end} "before"',
        f'{begin} "sparql" <urn:x:h>',
        f'{end} "2"{integer} <urn:x:g>',
        f'{end} "sparql" <urn:x:h>',
        f"{begin} <urn:x:o> <urn:x:g>",
        "TC",
    ]


def test_net() -> None:
    dataset = rdflib.Dataset()
    dataset.add((S, P, OBJ))
    with record(dataset, id="<urn:uuid:2>", prev="<urn:uuid:1>") as patch:
        dataset.remove((S, P, OBJ))
        dataset.add((S, P, OBJ))
        dataset.add((S, P, S))
        dataset.add((S, P, P))
        dataset.remove((S, P, P))
    expected = ["H id <urn:uuid:2>", "H prev <urn:uuid:1>"]
    expected += ["TX", "A <urn:x:s> <urn:x:p> <urn:x:s>", "TC"]
    assert ops(patch) == expected
    written = rdflib.Dataset()
    apply_patch(written, patch)
    assert len(written) == 1


def test_the_codec_writes_recordings(tmp_path: object) -> None:
    graph = rdflib.Graph()
    with record(graph) as patch:
        graph.add((S, P, OBJ))
    assert codec.write(f"{tmp_path}/patch.jellyp", patch) == 3
    assert [row[:7] for row in codec.read(f"{tmp_path}/patch.jellyp")] == [r[:7] for r in patch]


@pytest.mark.parametrize("net", [False, True])
def test_no_changes(net: bool) -> None:
    with record(rdflib.Dataset(), net=net) as patch:
        pass
    assert list(patch) == []


def test_changes_before_an_error_are_recorded() -> None:
    graph = rdflib.Graph()
    with pytest.raises(KeyError), record(graph) as patch:
        graph.add((S, P, OBJ))
        raise KeyError
    assert ops(patch) == ["TX", "A <urn:x:s> <urn:x:p> <urn:x:o>", "TC"]
    store = vars(graph.store)
    graph.add((S, P, P))
    assert "add" not in store
    assert len(list(patch)) == 3


def test_rows_before_the_end() -> None:
    with record(rdflib.Graph()) as patch, pytest.raises(ValueError, match="the end of the with"):
        list(patch)


def test_nested() -> None:
    graph = rdflib.Graph()
    with record(graph) as outer:
        graph.add((S, P, OBJ))
        with record(graph) as inner:
            graph.add((S, P, S))
        graph.add((S, P, P))
    assert len(list(outer)) == 5
    assert ops(inner) == ["TX", "A <urn:x:s> <urn:x:p> <urn:x:s>", "TC"]


def test_what_no_patch_can_hold_is_refused_before_the_change() -> None:
    graph = rdflib.Graph()
    with (
        record(graph) as patch,
        pytest.raises(InvalidTermError, match="must be a URIRef, a BNode or a Literal"),
    ):
        graph.add((S, P, rdflib.Variable("v")))
    assert (len(graph), list(patch)) == (0, [])
    dataset = rdflib.Dataset()
    formula = "{ <urn:x:s> <urn:x:p> 1 } <urn:x:p> 1 ."
    with (
        record(dataset) as patch,
        pytest.raises(UnwritableRowError, match="a patch cannot have statements of N3 formulas"),
    ):
        dataset.parse(data=formula, format="n3")
    assert (len(dataset), list(patch)) == (0, [])


def test_both_forms_of_a_string_are_one_statement() -> None:
    graph = rdflib.Graph()
    string = rdflib.Literal("a", datatype=rdflib.XSD.string)
    with record(graph, net=False) as patch:
        graph.add((S, P, string))
        graph.add((S, P, rdflib.Literal("a")))
        graph.remove((S, P, string))
    assert ops(patch) == ["TX", 'A <urn:x:s> <urn:x:p> "a"', "TC"]


def test_rollback() -> None:
    graph = rdflib.Graph(AuditableStore(Memory()))
    with record(graph) as patch:
        graph.add((S, P, OBJ))
        graph.commit()
        graph.add((S, P, S))
        graph.rollback()
    assert len(graph) == 1
    assert ops(patch) == ["TX", "A <urn:x:s> <urn:x:p> <urn:x:o>", "TC"]


@pytest.mark.parametrize("net", [True, False])
@pytest.mark.parametrize("kind", [rdflib.Graph, rdflib.Dataset])
def test_a_rollback_of_changes_from_before_the_block(kind: type[rdflib.Graph], net: bool) -> None:
    store = AuditableStore(Memory())
    # What a dataset asks of its store.
    store.graph_aware = True
    store.add_graph = store.store.add_graph  # type: ignore[method-assign]
    target = kind(store)
    target.add((S, P, S))
    target.add((S, P, P))
    target.commit()
    target.add((S, P, OBJ))
    target.remove((S, P, P))
    before = statements(target)
    with record(target, net=net) as patch:
        target.remove((S, P, OBJ))
        target.add((S, P, OBJ))
        target.add((P, P, OBJ))
        target.remove((S, P, S))
        target.rollback()
        target.add((OBJ, P, OBJ))
        target.rollback()
    after = statements(target)
    assert {statement[2] for statement in after} == {"<urn:x:s>", "<urn:x:p>"}
    found, _, without_effect = patches.apply(before, patch, strict=True)
    assert (found, without_effect) == (after, [])
    begin = "<urn:x:s> <urn:x:p>"
    assert ops(patch) == ["TX", f"D {begin} <urn:x:o>", f"A {begin} <urn:x:p>", "TC"]


def test_stores_without_graphs() -> None:
    graph = rdflib.Graph(SimpleMemory())
    graph.add((S, P, OBJ))
    with record(graph) as patch:
        graph.remove((None, None, OBJ))
        graph.add((S, P, to_rdflib('"a"')))
    begin = "<urn:x:s> <urn:x:p>"
    assert ops(patch) == ["TX", f"D {begin} <urn:x:o>", f'A {begin} "a"', "TC"]


def test_wrong_arguments() -> None:
    with (
        pytest.raises(InvalidTermError, match="id must be a term"),
        record(rdflib.Graph(), id="urn:uuid:1"),
    ):
        pass
    with pytest.raises(OptionError, match="net"), record(rdflib.Graph(), net=1):  # type: ignore[arg-type]
        pass
