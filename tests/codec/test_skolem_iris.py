"""Skolem IRIs are read back as the blank nodes that they stand for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import patches
from jelly_spark.core.terms import BlankNode, Iri, Literal, TripleTerm, format_term
from jelly_spark.core.terms.skolem_iris import skolem_iri, skolemized_label

BASE = "https://e.example/.well-known/genid/"


@given(st.text(min_size=1))
def test_every_label_comes_back(label: str) -> None:
    iri = skolem_iri(BASE, label)
    assert skolemized_label(BASE, iri) == label
    # In all places of a statement.
    node, skolem = BlankNode(label), Iri(iri)
    rows = []
    for term in (node, skolem):
        inner = TripleTerm(term, Iri("urn:p"), Literal(iri))
        rows.append([*map(format_term, (term, Iri("urn:p"), inner, term))])
    assert patches.diff([tuple(rows[0])], [tuple(rows[1])], skolem_base=BASE) == []
    assert patches.diff([tuple(rows[1])], [tuple(rows[0])], skolem_base=BASE) == []


@pytest.mark.parametrize(
    "iri", ["", "%41", "a%C3", "%", "%zz", "%c3%89", "%FF", "a+b", "a/b", "a b", "%2f"]
)
def test_other_iris_stay(iri: str) -> None:
    """IRIs that begin with the base, but stand for no blank node."""
    assert skolemized_label(BASE, BASE + iri) is None
    before = [("<urn:s>", "<urn:p>", format_term(Iri(BASE + iri)))]
    assert patches.diff(before, before, skolem_base=BASE) == []
    (_, row, _) = patches.diff([], before, skolem_base=BASE)
    assert row.object == before[0][2]


def test_other_terms_stay() -> None:
    for term in (f'"<{BASE}a>"', f'"a"^^<{BASE}a>', "<https://e.example/a>"):
        (_, row, _) = patches.diff([], [("<urn:s>", "<urn:p>", term)], skolem_base=BASE)
        assert row.object == term


def test_predicates_stay() -> None:
    statement = (f"<{BASE}a>", f"<{BASE}p>", f"<<( <{BASE}a> <{BASE}p> <{BASE}b> )>>")
    (_, row, _) = patches.diff([], [statement], skolem_base=BASE)
    assert row[1:4] == ("_:a", f"<{BASE}p>", f"<<( _:a <{BASE}p> _:b )>>")
