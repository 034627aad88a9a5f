"""rdflib reads the terms of RDF Patch text, which are those of Turtle except for blank nodes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.compare import isomorphic

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, format_term
from tests.codec.rdf_patch.helpers import encode, read
from tests.conformance.ntriples import Statement
from tests.interop.rdflib_terms import graph_of, statements_of

# rdflib itself calls what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")

_XSD = "http://www.w3.org/2001/XMLSchema#"
_LABELS = ["a", "b1", "c-d"]
_IRIS = st.sampled_from(
    ["http://a.example/", "http://a.example/b#c", "urn:x:é/😀", "urn:(a)?b=%20"]
)
_TEXTS = st.one_of(st.sampled_from(["", ' "\\\n\r\t\f\b', "é/😀\u2028\ufffd"]), st.text(max_size=5))
_NODES = st.one_of(st.builds(Iri, _IRIS), st.builds(BlankNode, st.sampled_from(_LABELS)))
_LITERALS = st.one_of(
    st.builds(Literal, _TEXTS),
    st.builds(Literal, _TEXTS, st.sampled_from(["en", "de-AT"])),
    st.builds(Literal, _TEXTS, st.none(), st.just("urn:d")),
    # Values that have a short form and that rdflib does not change.
    st.builds(Literal, st.sampled_from(["7", "-12"]), st.none(), st.just(f"{_XSD}integer")),
    st.builds(Literal, st.sampled_from(["1.5", "-0.25"]), st.none(), st.just(f"{_XSD}decimal")),
    st.builds(Literal, st.sampled_from(["true", "false"]), st.none(), st.just(f"{_XSD}boolean")),
)
_OBJECTS = st.one_of(_NODES, _LITERALS)


def _statements(graphs: st.SearchStrategy[Term | None]) -> st.SearchStrategy[list[Statement]]:
    return st.lists(st.tuples(_NODES, st.builds(Iri, _IRIS), _OBJECTS, graphs), max_size=6)


def _text(statements: list[Statement]) -> str:
    """Return the statements as a patch."""
    return encode(
        PatchRow(
            "A",
            format_term(subject),
            format_term(predicate),
            format_term(obj),
            None if graph is None else format_term(graph),
        )
        for subject, predicate, obj, graph in statements
    )


@settings(max_examples=50)
@given(_statements(st.none()))
def test_as_turtle(statements: list[Statement]) -> None:
    text = re.sub(r"^A ", "", _text(statements), flags=re.MULTILINE)
    for label in _LABELS:
        text = text.replace(f"<_:{label}>", f"_:{label}")
    assert isomorphic(rdflib.Graph().parse(data=text, format="turtle"), graph_of(statements))


@settings(max_examples=50)
@given(_statements(st.none() | _NODES))
def test_as_n_quads(statements: list[Statement]) -> None:
    lines = [" ".join(filter(None, row[1:5])) for row in read(_text(statements))]
    dataset = rdflib.Dataset()
    dataset.parse(
        data="".join(f"{line} .\n" for line in lines),
        format="nquads",
        bnode_context={label: rdflib.BNode(label) for label in _LABELS},
    )
    assert statements_of(dataset) == set(statements)


def _patches_of_rdflib() -> Iterator[str]:
    """Yield what rdflib writes as patches, with all its options."""
    subject, predicate, graph = map(rdflib.URIRef, ("urn:x:s", "urn:x:p", "urn:x:g"))
    dataset, target = rdflib.Dataset(), rdflib.Dataset()
    dataset.add((subject, predicate, rdflib.Literal('a "b"\n', lang="en-GB")))
    dataset.graph(graph).add((subject, predicate, rdflib.BNode("b")))
    target.graph(graph).add((subject, predicate, rdflib.Literal("7", datatype=predicate)))
    target.bind("x", "urn:x:")
    contents: list[dict[str, Any]] = [{}, {"operation": "add"}, {"operation": "remove"}]
    for content in [*contents, {"target": target}]:
        for headers in ({}, {"header_id": "urn:x:1"}, {"header_prev": "urn:x:0"}):
            yield dataset.serialize(format="patch", **content, **headers)


def test_patches_of_rdflib() -> None:
    for text in _patches_of_rdflib():
        # rdflib 7.6 leaves out the dot after `H prev`.
        corrected = re.sub(r"^(H prev <[^>]*>)$", r"\1 .", text, flags=re.MULTILINE)
        rows = read(text)
        assert [row.op for row in rows] == [line.split()[0] for line in text.splitlines() if line]
        assert rows == read(corrected)
