"""Terms to rdflib and back."""

from typing import Any

import pytest
import rdflib
from hypothesis import given

from jelly_spark.codec import RdfRow
from jelly_spark.core.terms.text import XSD
from jelly_spark.errors import InvalidTermError
from jelly_spark.integrations.rdflib import from_rdflib, rows, to_rdflib
from tests.codec.strategies import IRIS, TEXTS
from tests.integrations.strategies import plain_terms


@pytest.mark.parametrize("normalize", [False, True])
@given(plain_terms(iris=IRIS, labels=TEXTS))
def test_round_trip(normalize: bool, term: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rdflib, "NORMALIZE_LITERALS", normalize)
        assert from_rdflib(to_rdflib(term)) == term


@given(plain_terms(iris=IRIS, labels=TEXTS), plain_terms(iris=IRIS, labels=TEXTS))
def test_terms_stay_apart(one: str, other: str) -> None:
    """Except that rdflib compares language tags without their case."""
    found = to_rdflib(one) == to_rdflib(other)
    assert found == (one == other) or "@" in one


def test_kinds() -> None:
    literal: Any = to_rdflib(f'"01"^^<{XSD}integer>')
    assert (type(literal), str(literal), literal.value) == (rdflib.Literal, "01", 1)
    assert to_rdflib("<urn:x:a>") == rdflib.URIRef("urn:x:a")
    assert to_rdflib("<_:a\\u0020b>") == rdflib.BNode("a b")
    token = to_rdflib(f'" a  b "^^<{XSD}token>')
    assert (str(token), token.n3()) == (" a  b ", f'" a  b "^^<{XSD}token>')


def test_strings_have_no_datatype() -> None:
    assert from_rdflib(rdflib.Literal("a", datatype=rdflib.XSD.string)) == '"a"'


@pytest.mark.parametrize(
    ("term", "message"),
    [
        ("<<( _:a <urn:x:p> _:b )>>", "rdflib has no triple terms"),
        ('"a"@ar--rtl', "rdflib has no base directions such as rtl"),
        ('"a"@\\u0020', "rdflib has no language tag ' '"),
        ("a", "expected an RDF term"),
    ],
)
def test_terms_that_rdflib_does_not_have(term: str, message: str) -> None:
    with pytest.raises(InvalidTermError, match=message):
        to_rdflib(term)


@pytest.mark.parametrize("term", [rdflib.Variable("a"), rdflib.Graph(), "<urn:x:a>", None])
def test_other_objects(term: object) -> None:
    with pytest.raises(InvalidTermError, match="must be a URIRef, a BNode or a Literal"):
        from_rdflib(term)


def test_lone_surrogates() -> None:
    with pytest.raises(InvalidTermError, match="lone surrogate"):
        from_rdflib(rdflib.Literal("\ud800"))


def test_rows() -> None:
    dataset = rdflib.Dataset()
    s, p = rdflib.URIRef("urn:x:s"), rdflib.URIRef("urn:x:p")
    dataset.add((s, p, rdflib.Literal(1)))
    dataset.graph(rdflib.BNode("g")).add((s, p, rdflib.Literal("a", lang="en-GB")))
    found = [RdfRow("<urn:x:s>", "<urn:x:p>", f'"1"^^<{XSD}integer>')]
    found.append(RdfRow("<urn:x:s>", "<urn:x:p>", '"a"@en-GB', "_:g"))
    assert sorted(rows(dataset), key=lambda row: row.object or "") == found
    assert list(rows(dataset.graph(rdflib.BNode("g")))) == [found[1]._replace(graph=None)]
