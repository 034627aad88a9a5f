"""Terms: canonical strings, what is read as a term and what is not."""

import pytest
from hypothesis import given

from jelly_spark.codec.terms import (
    MAX_NESTING,
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    QuotedTriple,
    Term,
    format_term,
    parse_term,
)
from jelly_spark.errors import InvalidTermError
from tests.codec.strategies import terms

S, P = Iri("s"), Iri("p")


def nested(depth: int) -> str:
    return "<< " * depth + "<s> <p> <o>" + " >> <p> <o>" * (depth - 1) + " >>"


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("<>", Iri("")),
        ("<http://example.org/é>", Iri("http://example.org/é")),
        ("<a\\u0020\\u003C\\u003E\\u0022\\u007B\\u007D\\u007C\\u005E\\u0060\\u005C>", None),
        ("<\\u005F:x>", Iri("_:x")),
        ("_:b", BlankNode("b")),
        ("_:0.x-1·é", BlankNode("0.x-1·é")),
        ("<_:>", BlankNode("")),
        ("<_:a.>", BlankNode("a.")),
        ("<_:a:b>", BlankNode("a:b")),
        ("<_:a\\u0020b>", BlankNode("a b")),
        ('""', Literal("")),
        ('"\\"\\\\\\n\\r\t\b\f\x00\x7f\'"', Literal("\"\\\n\r\t\b\f\x00\x7f'")),
        ('"x"@en-GB', Literal("x", "en-GB")),
        ('"x"@a\\u005F\\U0001F600', Literal("x", "a_\U0001f600")),
        ('"1"^^<d\\u0020>', Literal("1", None, "d ")),
        ('"1"^^<\\u005F:d>', Literal("1", None, "_:d")),
        ('<< <s> <p> << _:b <p> "x" >> >>', None),
        (nested(MAX_NESTING), None),
    ],
)
def test_canonical_strings_come_back(text: str, term: Term | None) -> None:
    parsed = parse_term(text)
    if term is not None:
        assert parsed == term
    assert format_term(parsed) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("<\\u0061\\U00000062>", "<ab>"),
        ('"\\t\\b\\f\\\'\\u00e9"', '"\t\b\f\'é"'),
        (f'"x"^^<{XSD_STRING}>', '"x"'),
        ("<_:label>", "_:label"),
        ("<_\\u003Ax>", "<\\u005F:x>"),
        ("<<<s><p>\t<o>>>", "<< <s> <p> <o> >>"),
        ('<< _:a<p>"x"@en>>', '<< _:a <p> "x"@en >>'),
    ],
)
def test_other_forms_become_canonical(text: str, canonical: str) -> None:
    assert format_term(parse_term(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        " <s>",
        "<s> ",
        "s",
        "<a b>",
        "<a",
        "<a\\n>",
        "<\\uD800>",
        "<\\U00110000>",
        "<\ud800>",
        "_:",
        "_:a.",
        "_:a:b",
        "_:-a",
        '"a',
        '"a\nb"',
        '"a\rb"',
        '"\\x"',
        '"\\u12"',
        '"\udfff"',
        '"x"@',
        '"x"@_',
        '"x"^^',
        '"x"^^<_:b>',
        '"x"^^_:b',
        '"x" @en',
        "<< <s> <p> >>",
        "<< <s> <p> <o>",
        "<< <s> <p> <o> <g> >>",
        "<<\n<s> <p> <o> >>",
        nested(MAX_NESTING + 1),
    ],
)
def test_what_is_no_term_is_an_error(text: str) -> None:
    with pytest.raises(InvalidTermError):
        parse_term(text)


def test_a_term_is_a_string() -> None:
    with pytest.raises(InvalidTermError, match="must be a string, not int"):
        parse_term(1)  # type: ignore[arg-type]


def test_kinds_with_the_same_text_differ() -> None:
    assert len({Iri("x"), BlankNode("x"), Literal("x"), QuotedTriple(S, P, S)}) == 4


@given(terms())
def test_every_term_comes_back_from_its_string(term: Term) -> None:
    assert parse_term(format_term(term)) == term
