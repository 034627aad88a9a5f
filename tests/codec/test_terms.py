"""Terms: canonical strings, other spellings, and text that is not a term."""

import pytest
from hypothesis import given

from jelly_spark.core.terms import (
    MAX_NESTING,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    parse_term,
)
from jelly_spark.core.terms.text import XSD_STRING
from jelly_spark.errors import InvalidTermError
from tests.codec.strategies import terms

S, P = Iri("s"), Iri("p")

# What the errors say was expected.
TERM = "an RDF term in N-Triples syntax"
END = "the end of the term"
IRI = "a character that an IRI may hold, or '>'"
LEX = "a character that a literal may hold, or '\"'"
LABEL = "a blank node label"
TAG = "a language tag"
DIRECTION = "a base direction, --ltr or --rtl"
ESCAPE = "an escape sequence"
CHARACTER = "an escape of a Unicode character"
NESTING = f"triple terms nested at most {MAX_NESTING} deep"


def nested(depth: int) -> str:
    return "<<( " * depth + "<s> <p> <o>" + " )>> <p> <o>" * (depth - 1) + " )>>"


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
        ('"x"@ar--rtl', Literal("x", "ar", None, "rtl")),
        ('"x"@-_--ltr'.replace("_", "\\u005F"), Literal("x", "-_", None, "ltr")),
        ('"x"@en-', Literal("x", "en-")),
        ('"1"^^<d\\u0020>', Literal("1", None, "d ")),
        ('"1"^^<\\u005F:d>', Literal("1", None, "_:d")),
        ('<<( <s> <p> <<( _:b <p> "x" )>> )>>', None),
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
        ("_:a:b", "<_:a:b>"),
        ("_::x", "<_::x>"),
        ("<<(_:a:<p>_:b:)>>", "<<( <_:a:> <p> <_:b:> )>>"),
        ("<_\\u003Ax>", "<\\u005F:x>"),
        ("<<<s><p>\t<o>>>", "<<( <s> <p> <o> )>>"),
        ("<<(<s><p>\t<o>)>>", "<<( <s> <p> <o> )>>"),
        ('"x"@ar\\u002D-\\u0072tl', '"x"@ar--rtl'),
        ('<< _:a<p>"x"@en>>', '<<( _:a <p> "x"@en )>>'),
        ("<<<<(_:a<p>_:b)>><p><>>>", "<<( <<( _:a <p> _:b )>> <p> <> )>>"),
        ("<<(<<_:a<p>_:b>>\t<p><> )>>", "<<( <<( _:a <p> _:b )>> <p> <> )>>"),
    ],
)
def test_other_forms_become_canonical(text: str, canonical: str) -> None:
    assert format_term(parse_term(text)) == canonical


@pytest.mark.parametrize(
    ("text", "expected", "at", "found"),
    [
        ("", TERM, 0, "the end of the string"),
        (" <s>", TERM, 0, "' '"),
        ("s", TERM, 0, "'s'"),
        ("<s> ", END, 3, "' '"),
        ("<a b>", IRI, 2, "' '"),
        ("<a", IRI, 2, "the end of the string"),
        ("<_:a b>", IRI, 4, "' '"),
        ("<\U0001f600{>", IRI, 2, "'{'"),
        ("<\ud800>", IRI, 1, "'\\ud800'"),
        ("<a\\n>", ESCAPE, 2, "'\\'"),
        ("<\\u12>", "4 hexadecimal digits", 1, "'\\'"),
        ("<\\U0001F60>", "8 hexadecimal digits", 1, "'\\'"),
        ("<\\uD800>", CHARACTER, 1, "'\\'"),
        ("<\\u0061\\U0000dFfF>", CHARACTER, 7, "'\\'"),
        ("<\\U00110000>", CHARACTER, 1, "'\\'"),
        ("_:", LABEL, 2, "the end of the string"),
        ("_:-a", LABEL, 2, "'-'"),
        ("_:a.", END, 3, "'.'"),
        ("_:a..", END, 3, "'.'"),
        ('"a', LEX, 2, "the end of the string"),
        ('"a\nb"', LEX, 2, "'\n'"),
        ('"\\n\rb"', LEX, 3, "'\r'"),
        ('"\udfff"', LEX, 1, "'\\udfff'"),
        ('"\\x"', ESCAPE, 1, "'\\'"),
        ('"\\', ESCAPE, 1, "'\\'"),
        ('"\\\n"', ESCAPE, 1, "'\\'"),
        ('"\\u12"', "4 hexadecimal digits", 1, "'\\'"),
        ('"\\\\\\ud8000"', CHARACTER, 3, "'\\'"),
        ('"\\uD800"@_', CHARACTER, 1, "'\\'"),
        ('"x"@', TAG, 4, "the end of the string"),
        ('"x"@_', TAG, 4, "'_'"),
        ('"x"@en_', END, 6, "'_'"),
        ('"x"@en\\n', ESCAPE, 6, "'\\'"),
        ('"x"@\\uDC00', CHARACTER, 4, "'\\'"),
        ('"x" @en', END, 3, "' '"),
        ('"x"@en--up', DIRECTION, 4, "'en--up'"),
        ('"x"@en--', DIRECTION, 4, "'en--'"),
        ('"x"@en--LTR', DIRECTION, 4, "'en--LTR'"),
        ('"x"@en---ltr', DIRECTION, 4, "'en---ltr'"),
        ('"x"@en--ltr--ltr', DIRECTION, 4, "'en--ltr--ltr'"),
        ('"x"@--ltr', TAG, 4, "'--ltr'"),
        ('"x"@en-\\u002D\\u0007', DIRECTION, 4, "'en--\\u0007'"),
        (f'"x"@en--{"a" * 40}', DIRECTION, 4, f"'en--{'a' * 36}…'"),
        ('"' + "\\n" * 200 + '"@en--up', DIRECTION, 403, "'en--up'"),
        ('<<( <s> <p> "x"@en--up )>>', DIRECTION, 16, "'en--up'"),
        ('"x"^^', END, 3, "'^'"),
        ('"x"^^_:b', END, 3, "'^'"),
        ('"x"^^<_:b>', "the IRI of a datatype", 6, "'_'"),
        ('"x"^^<d', IRI, 7, "the end of the string"),
        ('"x"^^<\\x>', ESCAPE, 6, "'\\'"),
        ("<< <s> <p> >>", TERM, 11, "'>'"),
        ("<< <s> <p> <o>", "'>>'", 14, "the end of the string"),
        ("<< <s> <p> <o> <g> >>", "'>>'", 15, "'<'"),
        ("<< <s> <p> <o> )>>", "'>>'", 15, "')'"),
        ("<<( <s> <p> <o> >>", "')>>'", 16, "'>'"),
        ("<<( <s> <p> <o> ) >>", "')>>'", 16, "')'"),
        ("<< ( <s> <p> <o> )>>", TERM, 3, "'('"),
        ("<<\n<s> <p> <o> >>", TERM, 2, "'\n'"),
        ('<< <s> <p> "o"@ >>', TAG, 15, "' '"),
        ("<< <s> <p> << <s> <p\\> <o> >> >>", ESCAPE, 20, "'\\'"),
        (nested(MAX_NESTING + 1), NESTING, 4 * MAX_NESTING, "'<'"),
        ("<<" * 100_000, NESTING, 2 * MAX_NESTING, "'<'"),
    ],
)
def test_text_that_is_not_a_term_is_an_error(text: str, expected: str, at: int, found: str) -> None:
    with pytest.raises(InvalidTermError) as error:
        parse_term(text)
    assert str(error.value) == f"expected {expected} at character {at}, found {found}"


def test_a_term_is_a_string() -> None:
    with pytest.raises(InvalidTermError, match="must be a string, not int"):
        parse_term(1)  # type: ignore[arg-type]


def test_kinds_with_the_same_text_differ() -> None:
    assert len({Iri("x"), BlankNode("x"), Literal("x"), TripleTerm(S, P, S)}) == 4


@given(terms())
def test_every_term_comes_back_from_its_string(term: Term) -> None:
    assert parse_term(format_term(term)) == term


@pytest.mark.parametrize(
    ("term", "says"),
    [
        ("x", "a term must be an Iri, a BlankNode, a Literal or a TripleTerm, not str"),
        (None, "not NoneType"),
        (Iri, "not type"),
        (Iri(5), "a term holds strings, not int"),  # type: ignore[arg-type]
        (BlankNode(b"x"), "a term holds strings, not bytes"),  # type: ignore[arg-type]
        (Literal([]), "a term holds strings, not list"),  # type: ignore[arg-type]
        (Literal("x", 1), "a term holds strings, not int"),  # type: ignore[arg-type]
        (Literal("x", None, Iri("x")), "a term holds strings, not Iri"),  # type: ignore[arg-type]
        (Literal("x", None, None, "rtl"), "a base direction needs a language tag"),
        (Literal("x", "", None, "rtl"), "a base direction needs a language tag"),
        (Literal("x", "ar", None, "RTL"), "a base direction must be ltr or rtl, not 'RTL'"),
        (Literal("x", "ar", None, ""), "a base direction must be ltr or rtl, not ''"),
        (Literal("x", "ar--rtl"), "a language tag must not contain '--'"),
        (Literal("x", "ar", None, 5), "a term holds strings, not int"),  # type: ignore[arg-type]
        (TripleTerm(S, P, 5), "not int"),  # type: ignore[arg-type]
        (Iri("\ud800"), "a term holds a lone surrogate"),
        (TripleTerm(S, P, Literal("\udfff")), "a term holds a lone surrogate"),
    ],
)
def test_what_is_no_term_has_no_string(term: Term, says: str) -> None:
    with pytest.raises(InvalidTermError, match=says):
        format_term(term)


def test_nesting_of_what_is_formatted() -> None:
    term: Term = S
    for _ in range(MAX_NESTING):
        term = TripleTerm(term, P, S)
    assert parse_term(format_term(term)) == term
    for _ in range(10_000):
        term = TripleTerm(term, P, S)
        with pytest.raises(InvalidTermError, match="nested at most 63 deep"):
            format_term(term)
