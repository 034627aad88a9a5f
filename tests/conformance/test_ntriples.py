"""Lines of N-Triples and N-Quads to terms."""

import pytest

from jelly_spark.core.terms import BlankNode, Iri, Literal, TripleTerm
from jelly_spark.errors import InvalidTermError
from tests.conformance.ntriples import NotAStatement, parse_statements

S, P, B = Iri("http://e.example/s"), Iri("http://e.example/p"), BlankNode("b.1")
TRIPLE = "<http://e.example/s> <http://e.example/p> _:b.1"


def test_triples_and_quads() -> None:
    text = f"{TRIPLE} .\n\n# a comment\r\n {TRIPLE}\t<http://e.example/g> . # another\n{TRIPLE}."
    assert list(parse_statements(text)) == [
        (S, P, B, None),
        (S, P, B, Iri("http://e.example/g")),
        (S, P, B, None),
    ]


def test_literals_hold_what_ends_terms_and_lines_elsewhere() -> None:
    text = (
        '<urn:s> <urn:p> "> \\" . # \u2028 << \\n"@en-GB .\n'
        '<urn:s> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#string> .\n'
        '<urn:s> <urn:p> ""^^<urn:d>.'
    )
    assert [statement[2] for statement in parse_statements(text)] == [
        Literal('> " . # \u2028 << \n', "en-GB"),
        Literal("1"),
        Literal("", None, "urn:d"),
    ]


def test_lines_that_name_a_version() -> None:
    assert list(parse_statements(f'VERSION "1.2"\n{TRIPLE} .\n VERSION"1.1" # .')) == [
        (S, P, B, None)
    ]


def test_triple_terms_and_generalized_statements() -> None:
    text = f'<<{TRIPLE}>> <<( << {TRIPLE} >> "p" _:b.1)>> "o" "g"@en .'
    triple = TripleTerm(S, P, B)
    predicate = TripleTerm(triple, Literal("p"), B)
    assert list(parse_statements(text)) == [
        (triple, predicate, Literal("o"), Literal("g", "en")),
    ]


@pytest.mark.parametrize(
    "line",
    [
        TRIPLE,
        "<urn:s> <urn:p> .",
        f"{TRIPLE} _:g _:h .",
        f"{TRIPLE} . .",
        f"{TRIPLE} . {TRIPLE} .",
        f"<< {TRIPLE} .",
        "<urn:s> <urn:p> 'o' .",
        "<urn:s> <urn:p> <urn:o .",
    ],
)
def test_lines_that_are_not_statements(line: str) -> None:
    with pytest.raises(NotAStatement):
        list(parse_statements(line))


@pytest.mark.parametrize(
    "term", ["<urn:a b>", '"\\x"', ">>", "<< _:a _:b >>", "<<( _:a _:b _:c >>"]
)
def test_invalid_terms(term: str) -> None:
    with pytest.raises(InvalidTermError):
        list(parse_statements(f"<urn:s> <urn:p> {term} ."))
