"""Patches recorded from the changes of stores of pyoxigraph."""

from __future__ import annotations

import threading
import tracemalloc
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark import codec, patches
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.terms.text import XSD
from jelly_spark.errors import InvalidTermError, OptionError
from jelly_spark.integrations.oxigraph import Recording, apply_patch, load, record, rows
from jelly_spark.integrations.oxigraph.recording import _differences
from jelly_spark.log import Log
from jelly_spark.patches import Statement
from tests.integrations.strategies import patches as some_patches

S, P, OBJ = (ox.NamedNode(f"urn:x:{name}") for name in "spo")
GRAPH = ox.NamedNode("urn:x:g")
DECIMAL = f"^^<{XSD}decimal>"
few = settings(max_examples=30)  # making a store takes long
PATCHES = some_patches(tags=False)


def statements(store: ox.Store) -> set[Statement]:
    return {Statement(*row[:4]) for row in rows(store)}  # type: ignore[arg-type]


def ops(recording: Recording) -> list[str]:
    return [" ".join(filter(None, row[:7])) for row in recording]


def check(store: ox.Store, change: Callable[[], None]) -> None:
    """Check that the patch of a change is the difference of the states."""
    before = statements(store)
    with record(store) as patch:
        change()
    after = statements(store)
    assert [*patch] == patches.diff(before, after)
    assert patches.apply(before, patch)[0] == after


def one_by_one(store: ox.Store, changes: list[PatchRow]) -> None:
    """Make each change of its own, not the net effect of all."""
    for row in changes:
        if row.op in ("A", "D"):
            apply_patch(store, [row])


@few
@given(PATCHES, PATCHES)
def test_the_patch_is_the_change(first: list[PatchRow], second: list[PatchRow]) -> None:
    store = ox.Store()
    apply_patch(store, first)
    check(store, lambda: one_by_one(store, second))
    check(store, lambda: one_by_one(store, first))


@settings(max_examples=5)
@given(PATCHES, PATCHES)
def test_stores_on_disk(
    tmp_path_factory: pytest.TempPathFactory, first: list[PatchRow], second: list[PatchRow]
) -> None:
    store = ox.Store(tmp_path_factory.mktemp("store"))
    apply_patch(store, first)
    check(store, lambda: one_by_one(store, second))


def test_every_way_to_change_a_store() -> None:
    store = ox.Store()
    for name in ("before", "extended", "cleared"):
        store.add(ox.Quad(S, P, ox.Literal("old"), ox.NamedNode(f"urn:x:{name}")))
    text = '<urn:x:s> <urn:x:p> "{}" <urn:x:g> .'
    with record(store) as patch:
        store.add(ox.Quad(S, P, ox.Literal("old"), ox.NamedNode("urn:x:before")))
        store.remove(ox.Quad(S, P, ox.Literal("never there")))
        store.add(ox.Quad(S, P, OBJ, ox.BlankNode("b")))
        store.extend([ox.Quad(S, P, OBJ, ox.NamedNode("urn:x:extended"))])
        store.bulk_extend([ox.Quad(S, P, ox.Literal("bulk", language="ar"))])
        store.load(text.format("loaded"), format=ox.RdfFormat.N_QUADS)
        store.bulk_load(text.format("bulk-loaded"), format=ox.RdfFormat.N_QUADS)
        store.update(
            "DELETE { GRAPH <urn:x:extended> { ?s ?p 'old' } } INSERT { ?s ?p <<( ?s ?p 1 )>> } "
            "WHERE { GRAPH <urn:x:extended> { ?s ?p 'old' } }"
        )
        store.clear_graph(ox.NamedNode("urn:x:cleared"))
        store.add_graph(ox.NamedNode("urn:x:empty"))
        store.optimize()
    begin = "<urn:x:s> <urn:x:p>"
    assert ops(patch) == [
        "TX",
        f'D {begin} "old" <urn:x:cleared>',
        f'D {begin} "old" <urn:x:extended>',
        f'A {begin} "bulk"@ar',
        f'A {begin} "bulk-loaded" <urn:x:g>',
        f'A {begin} "loaded" <urn:x:g>',
        f'A {begin} <<( {begin} "1"^^<{XSD}integer> )>>',
        f"A {begin} <urn:x:o> <urn:x:extended>",
        f"A {begin} <urn:x:o> _:b",
        "TC",
    ]
    check(store, store.clear)
    assert len(store) == 0


def test_headers_and_files(tmp_path: Path) -> None:
    store = ox.Store()
    with record(store, id="<urn:uuid:2>", prev="<urn:uuid:1>") as patch:
        store.add(ox.Quad(S, P, OBJ))
    assert ops(patch)[:2] == ["H id <urn:uuid:2>", "H prev <urn:uuid:1>"]
    assert codec.write(tmp_path / "patch.jellyp", patch) == 5
    other = ox.Store()
    apply_patch(other, codec.read_jelly_patch(tmp_path / "patch.jellyp"))
    assert {*other} == {*store}


def test_no_changes() -> None:
    store = ox.Store()
    with record(store) as patch:
        store.add(ox.Quad(S, P, OBJ))
        store.remove(ox.Quad(S, P, OBJ))
    assert [*patch] == []


def test_terms_are_those_of_the_store(tmp_path: Path) -> None:
    """A log of other lexical forms takes those of the store in one patch, and then follows it."""
    subject, predicate = "<urn:x:s>", "<urn:x:p>"
    log, store = Log(tmp_path / "log"), ox.Store()
    log.commit([(subject, predicate, f'"8.50"{DECIMAL}')])
    load(store, log.state_at())
    log.commit(rows(store))
    assert log.state_at() == {Statement(subject, predicate, f'"8.5"{DECIMAL}', None)}
    with record(store, id="<urn:uuid:3>", prev=log.head()) as patch:
        store.update("DELETE { ?s ?p ?o } INSERT { ?s ?p 9.20 } WHERE { ?s ?p ?o }")
    log.append(patch)
    assert log.state_at() == {Statement(subject, predicate, f'"9.2"{DECIMAL}', None)}
    assert log.state_at() == statements(store)


def test_changes_before_an_error_are_recorded() -> None:
    store = ox.Store()
    with pytest.raises(KeyError), record(store) as patch:
        store.add(ox.Quad(S, P, OBJ))
        raise KeyError
    assert ops(patch) == ["TX", "A <urn:x:s> <urn:x:p> <urn:x:o>", "TC"]
    store.add(ox.Quad(S, P, P))
    assert len([*patch]) == 3


def test_rows_before_the_end() -> None:
    with record(ox.Store()) as patch, pytest.raises(ValueError, match="the end of the with"):
        list(patch)


def test_nested() -> None:
    store = ox.Store()
    with record(store) as outer:
        store.add(ox.Quad(S, P, OBJ))
        with record(store) as inner:
            store.add(ox.Quad(S, P, S))
        store.add(ox.Quad(S, P, P))
    assert len([*outer]) == 5
    assert ops(inner) == ["TX", "A <urn:x:s> <urn:x:p> <urn:x:s>", "TC"]


def in_thread(action: Callable[[], Any]) -> list[BaseException]:
    """Do something in another thread, and return what it raises."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            action()
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return errors


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_threads() -> None:
    store = ox.Store()
    with record(store) as patch:
        in_thread(lambda: store.add(ox.Quad(S, P, OBJ)))
    assert len([*patch]) == 3
    block = ExitStack()
    patch = block.enter_context(record(store))
    (error,) = in_thread(block.close)
    assert "must end in the thread in which it began" in str(error)
    with pytest.raises(ValueError, match="until the end"):
        list(patch)


@given(st.permutations(range(6)), st.integers(0, 4), st.integers(2, 6))
def test_statements_in_another_order(order: list[int], begin: int, end: int) -> None:
    """The result does not depend on the order, in which no store gives them today."""
    quads = [ox.Quad(S, P, ox.Literal(number)) for number in range(6)]
    store = ox.Store()
    store.extend(quads[begin:end])
    before = [quads[number] for number in order if number < 4]
    assert _differences(iter(before), store) == (
        {*quads[:4]} - {*quads[begin:end]},
        {*quads[begin:end]} - {*quads[:4]},
    )


def test_only_changes_are_held() -> None:
    store = ox.Store()
    load(store, (RdfRow(f"<urn:x:{number}>", "<urn:x:p>", '"1"') for number in range(10_000)))
    before = iter(store)
    store.add(ox.Quad(S, P, OBJ))
    tracemalloc.start()
    found = _differences(before, store)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == (set(), {ox.Quad(S, P, OBJ)})
    assert peak < 50_000


def test_wrong_arguments() -> None:
    with pytest.raises(InvalidTermError, match="id must be a term"), record(ox.Store(), id="a"):
        pass
    with pytest.raises(OptionError, match="expected a Store"), record([]):  # type: ignore[arg-type]
        pass
