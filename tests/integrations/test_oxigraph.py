"""Terms, patches and statements, with pyoxigraph."""

import re
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark import codec, patches
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.errors import InvalidTermError, OptionError, PatchError, UnwritableRowError
from jelly_spark.integrations.oxigraph import apply_patch, from_oxigraph, load, rows, to_oxigraph
from jelly_spark.patches import Statement
from tests.integrations.parity_files import committed_rows, each_file
from tests.integrations.strategies import TAGS, plain_terms, valid_iris, valid_labels
from tests.integrations.strategies import patches as some_patches

S, P = "<urn:x:s>", "<urn:x:p>"
few = settings(max_examples=30)  # making a store takes long
TERMS = plain_terms(
    iris=valid_iris(),
    labels=valid_labels(),
    tags=st.one_of(TAGS, st.sampled_from(["ar--rtl", "en-GB--ltr"])),
)


def lower_tag(term: str) -> str:
    """The term as pyoxigraph has it: with its language tag in lower case."""
    return re.sub(r'"@[\w-]+$', lambda tag: tag.group().lower(), term)


def as_stored(term: str) -> str:
    """The term as a store returns it: with its value, which may have had another lexical form."""
    store = ox.Store()
    store.add(ox.Quad(ox.NamedNode("urn:x:s"), ox.NamedNode("urn:x:p"), to_oxigraph(term)))
    (quad,) = store
    return from_oxigraph(quad.object)


def statements(store: ox.Store) -> set[Statement]:
    return {Statement(*row[:4]) for row in rows(store)}  # type: ignore[arg-type]


@given(TERMS)
def test_round_trip(term: str) -> None:
    try:
        converted = to_oxigraph(term)
    except InvalidTermError:
        assert "#langString>" in term or "b#c" in term
        return
    assert from_oxigraph(converted) == lower_tag(term)


@given(TERMS, TERMS)
def test_terms_stay_apart(one: str, other: str) -> None:
    try:
        equal = to_oxigraph(one) == to_oxigraph(other)
    except InvalidTermError:
        return
    assert equal == (lower_tag(one) == lower_tag(other))


@pytest.mark.parametrize(
    "term",
    [
        '<<( _:a <urn:x:p> <<( _:b <urn:x:p> "c" )>> )>>',
        '"a"@ar--rtl',
        '"a"@en--ltr',
        '"x\\r\\n\\""',
    ],
)
def test_more_terms(term: str) -> None:
    assert from_oxigraph(to_oxigraph(term)) == term


@pytest.mark.parametrize(
    "term",
    [
        "<>",
        "<a>",
        "<urn:x:a\\u0020b>",
        "<_:a\\u0020b>",
        '"a"@\\u0020',
        '"a"^^<a>',
        "<<( _:a _:b _:c )>>",
    ],
)
def test_terms_that_pyoxigraph_does_not_have(term: str) -> None:
    with pytest.raises(InvalidTermError, match="pyoxigraph has no"):
        to_oxigraph(term)


@pytest.mark.parametrize("term", [ox.Variable("a"), ox.DefaultGraph(), "<urn:x:a>", None])
def test_other_objects(term: object) -> None:
    with pytest.raises(InvalidTermError, match="must be a NamedNode, a BlankNode"):
        from_oxigraph(term)


@few
@given(some_patches(numbers=False), some_patches(numbers=False))
def test_apply(first: list[PatchRow], second: list[PatchRow]) -> None:
    first, second = as_lower(first), as_lower(second)
    store = ox.Store()
    apply_patch(store, first)
    state, _ = patches.state(first)
    assert statements(store) == state
    apply_patch(store, second)
    assert statements(store) == patches.apply(state, second)[0]


def as_lower(changes: list[PatchRow]) -> list[PatchRow]:
    return [row._replace(object=row.object and lower_tag(row.object)) for row in changes]


def test_stores_keep_values() -> None:
    store = ox.Store()
    integer = "^^<http://www.w3.org/2001/XMLSchema#integer>"
    apply_patch(store, [PatchRow("A", S, P, f'"01"{integer}')])
    assert [row.object for row in rows(store)] == [f'"1"{integer}']
    apply_patch(store, [PatchRow("D", S, P, f'"001"{integer}')])
    assert len(store) == 0


@each_file
def test_parity_files(path: Path) -> None:
    changes = committed_rows(path.read_bytes())
    held = [row for row in changes if row.op not in ("A", "D") or fits(row)]
    store = ox.Store()
    apply_patch(store, held)
    expected = {each._replace(object=as_stored(each.object)) for each in patches.state(held)[0]}
    assert statements(store) == expected
    if not all(fits(row) for row in patches.squash(changes) if row.op in ("A", "D")):
        with pytest.raises(UnwritableRowError, match="pyoxigraph has no"):
            apply_patch(store, changes)
        assert statements(store) == expected


def fits(row: PatchRow) -> bool:
    """Whether pyoxigraph can hold the statement."""
    try:
        ox.Quad(*(to_oxigraph(term) for term in row[1:5] if term is not None))  # type: ignore[arg-type]
    except (InvalidTermError, TypeError):
        return False
    return True


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (PatchRow("A", S, "_:p", S), "pyoxigraph has no such statement"),
        (PatchRow("A", '"s"', P, S), "pyoxigraph has no such statement"),
        (PatchRow("D", S, P, S, '"g"'), "pyoxigraph has no such statement"),
        (PatchRow("D", S, P, "<a b>"), "expected"),
        (PatchRow("A", S, P, "<a>"), "pyoxigraph has no term <a>"),
        (PatchRow("A", S, P), "need a subject, a predicate and an object"),
        (PatchRow("A", S, P, f"{S} . {S} {P} {S}"), "expected the end of the term"),
    ],
)
def test_bad_rows_change_nothing(row: PatchRow, message: str) -> None:
    store = ox.Store()
    apply_patch(store, [PatchRow("A", S, P, '"before"')])
    before = statements(store)
    good = [PatchRow("A", S, P, '"new"'), PatchRow("D", S, P, '"before"')]
    with pytest.raises(UnwritableRowError, match=message):
        apply_patch(store, [*good, row])
    assert statements(store) == before


def test_open_transactions_change_nothing() -> None:
    store = ox.Store()
    with pytest.raises(PatchError):
        apply_patch(store, [PatchRow("A", S, P, S), PatchRow("TX"), PatchRow("A", S, P, P)])
    assert len(store) == 0


def test_a_read_only_store_is_unchanged(tmp_path: Path) -> None:
    path = str(tmp_path / "store")
    store = ox.Store(path)
    apply_patch(store, [PatchRow("A", S, P, '"before"')])
    store.flush()
    del store
    store = ox.Store.read_only(path)
    with pytest.raises(RuntimeError, match="read-write"):
        apply_patch(store, [PatchRow("D", S, P, '"before"')])
    assert len(store) == 1


@few
@given(some_patches(tags=False, numbers=False))
def test_dump_and_load(changes: list[PatchRow]) -> None:
    state, _ = patches.state(changes)
    store = ox.Store()
    load(store, [RdfRow(name="ex", value="<urn:x:>"), *(RdfRow(*each) for each in state)])
    assert statements(store) == state


def test_files(tmp_path: Path) -> None:
    store = ox.Store()
    apply_patch(store, [PatchRow("A", S, P, "_:b", "_:g"), PatchRow("A", S, P, '"a"@en')])
    codec.write(tmp_path / "state.jelly", rows(store))
    other = ox.Store()
    load(other, codec.read_jelly_rdf(tmp_path / "state.jelly"))
    assert set(other) == set(store)


def test_wrong_arguments() -> None:
    for function in (apply_patch, load):
        with pytest.raises(OptionError, match="expected a Store of pyoxigraph, not list"):
            function([], [])  # type: ignore[arg-type]
    for source, name in (([("a",)], "tuple"), (1, "int")):
        with pytest.raises(OptionError, match=f"expected statements of pyoxigraph, not {name}"):
            list(rows(source))  # type: ignore[arg-type]
    with pytest.raises(UnwritableRowError, match="a row must be a RdfRow, not PatchRow"):
        load(ox.Store(), [PatchRow("A", S, P, S)])  # type: ignore[list-item]
    with pytest.raises(UnwritableRowError, match="needs a subject"):
        load(ox.Store(), [RdfRow(S)])


@few
@given(st.lists(TERMS, max_size=5))
def test_stores_hold_terms(terms: list[str]) -> None:
    store = ox.Store()
    try:
        apply_patch(store, [PatchRow("A", S, P, term) for term in terms])
    except UnwritableRowError:
        return
    assert {row.object for row in rows(store)} == set(map(as_stored, terms))


def test_rows_of_parsers_datasets_and_queries() -> None:
    text = f'{S} {P} "01"^^<http://www.w3.org/2001/XMLSchema#integer> .'
    row = RdfRow(S, P, '"01"^^<http://www.w3.org/2001/XMLSchema#integer>')
    assert [*rows(ox.parse(text, format=ox.RdfFormat.TURTLE))] == [row]
    quads = [*ox.parse(text, format=ox.RdfFormat.TURTLE)]
    assert [*rows(ox.Dataset(quads))] == [row]
    store = ox.Store()
    load(store, [(S, P, S)])
    found = store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
    assert [*rows(found)] == [RdfRow(S, P, S)]  # type: ignore[arg-type]
