r"""RDF terms and their canonical strings, in the syntax of RDF 1.2's N-Triples.

The canonical string of a term is the one form in which all readers return it:

- literals escape only `"`, `\`, LF and CR, and xsd:string is not written;
- IRIs escape only the characters that N-Triples does not allow in them, as `\uXXXX`;
- blank nodes are `_:label`, or `<_:label>` if the label has a colon or another character that
  `_:` cannot hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from jelly_spark.core.show import quoted
from jelly_spark.core.terms.base_direction import (
    DIRECTIONS,
    SEPARATOR,
    expected_tag,
    join_tag,
    split_tag,
)
from jelly_spark.core.terms.text import (
    ESCAPED_IN_IRI,
    LABEL_START,
    NAME_REST,
    TAG_CHARACTERS,
    XSD_STRING,
    escape_iri,
    escape_lexical,
    format_blank_node,
    format_datatype,
    format_iri,
    format_language,
)
from jelly_spark.errors import InvalidTermError

MAX_NESTING: Final = 63
"""The deepest nesting of triple terms, which is also the limit of the reference implementation's
reader."""

RDF_LANG_STRING: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
"""The datatype of literals with a language tag but no base direction; most formats do not write
it."""

RDF_DIR_LANG_STRING: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString"
"""The datatype of literals with a language tag and a base direction."""

JENA_DEFAULT_GRAPHS: Final = frozenset({"<urn:x-arq:DefaultGraph>", "<urn:x-arq:DefaultGraphNode>"})
"""The IRIs by which Apache Jena refers to the default graph, as canonical strings.

Jena's binary patches, and the prefixes in its text, can name the default graph with them. Jena's
datasets never use them as names of other graphs.
"""


@dataclass(frozen=True, slots=True)
class Iri:
    """An IRI.

    Attributes:
        value: the IRI without angle brackets and without escapes.
    """

    value: str


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node.

    Attributes:
        label: any string, without `_:`.
    """

    label: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal. Without a language tag and a datatype, it is an xsd:string.

    Attributes:
        lexical: the lexical form, without escapes.
        language: the language tag without a base direction, not empty; None if there is none.
        datatype: the datatype's IRI; None for xsd:string, and if there is a language tag.
        direction: the base direction of a literal with a language tag: `ltr` or `rtl`.
    """

    lexical: str
    language: str | None = None
    datatype: str | None = None
    direction: str | None = None


def tagged_literal(lexical: str, tag: str) -> Literal:
    """Return the literal with a language tag, which may have a base direction: `ar--rtl`.

    Raises:
        InvalidTermError: the base direction is not valid.
    """
    expected = expected_tag(tag)
    if expected is not None:
        raise InvalidTermError(f"expected {expected}, found {quoted(tag)}")
    language, direction = split_tag(tag)
    return Literal(lexical, language, None, direction)


def language_tag(literal: Literal) -> str | None:
    """Return the language tag of a literal with its base direction; None if it has none.

    Raises:
        InvalidTermError: the literal has a base direction but no language tag, the base direction
            is not valid, or the language tag contains `--`.
    """
    language, direction = literal.language, literal.direction
    if language is not None and SEPARATOR in _string(language):
        raise InvalidTermError(
            "a language tag must not contain '--': give the base direction as the direction"
        )
    if direction is None:
        return language
    if not language:
        raise InvalidTermError("a literal with a base direction needs a language tag")
    if _string(direction) not in DIRECTIONS:
        raise InvalidTermError(f"a base direction must be ltr or rtl, not {quoted(direction)}")
    return join_tag(language, direction)


def datatype_of(literal: Literal) -> str:
    """Return the datatype's IRI of a literal, also of one that has it implicitly."""
    if literal.language is not None:
        return RDF_LANG_STRING if literal.direction is None else RDF_DIR_LANG_STRING
    return XSD_STRING if literal.datatype is None else literal.datatype


@dataclass(frozen=True, slots=True)
class TripleTerm:
    """A triple term."""

    subject: Term
    predicate: Term
    object: Term


Term: TypeAlias = Iri | BlankNode | Literal | TripleTerm

_HEX: Final = "[0-9A-Fa-f]"
UCHAR: Final = rf"\\(?:u|U0000)(?![Dd][89A-Fa-f]){_HEX}{{4}}|\\U00(?:0[1-9A-Fa-f]|10){_HEX}{{4}}"
"""An escaped Unicode character (UCHAR); surrogates and numbers above U+10FFFF do not match."""

STRING_ESCAPE: Final = rf"""\\[tbnrf"'\\]|{UCHAR}"""
"""An escape in a literal (ECHAR or UCHAR)."""

SURROGATES: Final = r"\ud800-\udfff"
"""Code points that UTF-8 cannot encode, for use within a character class.

A decoder with `surrogateescape` maps each byte that is not UTF-8 to one of them.
"""

IRI_CHAR: Final = f"[^{ESCAPED_IN_IRI}{SURROGATES}]"
"""A character that an IRI holds unescaped."""

LEXICAL_CHAR: Final = rf"""[^"\\\n\r{SURROGATES}]"""
"""A character that a canonical literal holds unescaped."""

# The productions of N-Triples, https://www.w3.org/TR/n-triples/#n-triples-grammar, except that a
# language tag may hold any character if it is escaped. Each pattern matches as much as it can, so
# the end of its match is the place of the error in a malformed term.
_LABEL: Final = f"[:{LABEL_START}](?:[:.{LABEL_START}{NAME_REST}]*[:{LABEL_START}{NAME_REST}])?"
# A pattern matches at most 100 escapes, because the regular expression engine needs memory for
# each. `_end` matches again where a match ends, and `_parse_long` parses what `_TERM` cannot match.
_IRI_TEXT: Final = f"{IRI_CHAR}*(?:(?:{UCHAR}){IRI_CHAR}*){{0,100}}"
_LEX_TEXT: Final = f"{LEXICAL_CHAR}*(?:(?:{STRING_ESCAPE}){LEXICAL_CHAR}*){{0,100}}"
_TAG_TEXT: Final = f"[{TAG_CHARACTERS}]*(?:(?:{UCHAR})[{TAG_CHARACTERS}]*){{0,100}}"

_TERM: Final = re.compile(
    rf"<_:(?P<bracketed_label>{_IRI_TEXT})>"
    rf"|<(?P<iri>{_IRI_TEXT})>"
    rf"|_:(?P<label>{_LABEL})"
    rf'|"(?P<lex>{_LEX_TEXT})"'
    rf"(?:@(?P<tag>(?=[{TAG_CHARACTERS}\\]){_TAG_TEXT})(?![{TAG_CHARACTERS}]|\\)"
    rf"|\^\^<(?!_:)(?P<datatype>{_IRI_TEXT})>"
    r"|(?!@|\^\^<))"
)
_ESCAPE: Final = re.compile(rf"\\(?:u({_HEX}{{4}})|U({_HEX}{{8}})|(.))")
# A piece of limited length: text, and at most 1000 valid escapes, each with text after it.
_PIECE: Final = re.compile(
    r"[^\\]{0,65536}(?:\\(?:u.{4}|U.{8}|[^uU])[^\\]{0,1000}){0,1000}", re.DOTALL
)
_ESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}

_IRI_PREFIX: Final = re.compile(_IRI_TEXT)
_LEX_PREFIX: Final = re.compile(_LEX_TEXT)
_TAG_PREFIX: Final = re.compile(_TAG_TEXT)


def parse_term(text: str) -> Term:
    """Parse a term in N-Triples syntax.

    A triple term is `<<( s p o )>>`; RDF-star's `<< s p o >>` is read, too. Spaces and tabs are
    allowed inside, but not before or after the term.

    Example:
        >>> from jelly_spark.terms import parse_term
        >>> parse_term('"Tee"@de')
        Literal(lexical='Tee', language='de', datatype=None, direction=None)

    Raises:
        InvalidTermError: the string is not an RDF term in N-Triples syntax, or it nests triple
            terms more than 63 deep.
    """
    if not isinstance(text, str):
        raise InvalidTermError(f"a term must be a string, not {type(text).__name__}")
    term, end = _parse_at(text, 0, 0)
    if end != len(text):
        raise _expected("the end of the term", text, end)
    return term


def _parse_at(text: str, start: int, depth: int) -> tuple[Term, int]:
    if text.startswith("<<", start):
        if depth == MAX_NESTING:
            raise _expected(f"triple terms nested at most {MAX_NESTING} deep", text, start)
        return _parse_triple(text, start + 2, depth + 1)
    match = _TERM.match(text, start)
    if match is None:
        return _parse_long(text, start)
    end = match.end()
    iri = match["iri"]
    if iri is not None:
        return Iri(unescape(iri)), end
    bracketed_label, label, lexical, tag, datatype = match.group(
        "bracketed_label", "label", "lex", "tag", "datatype"
    )
    if lexical is not None:
        if tag is not None:
            literal = _parse_tagged(unescape(lexical), unescape(tag), match.start("tag"))
            return literal, end
        if datatype is not None:
            datatype = unescape(datatype)
            if datatype != XSD_STRING:
                return Literal(unescape(lexical), None, datatype), end
        return Literal(unescape(lexical)), end
    return BlankNode(label if bracketed_label is None else unescape(bracketed_label)), end


def _parse_triple(text: str, start: int, depth: int) -> tuple[Term, int]:
    closing = ">>"
    if text.startswith("(", start):
        closing = ")>>"
        start += 1
    subject, end = _parse_at(text, _skip_space(text, start), depth)
    predicate, end = _parse_at(text, _skip_space(text, end), depth)
    obj, end = _parse_at(text, _skip_space(text, end), depth)
    end = _skip_space(text, end)
    if not text.startswith(closing, end):
        raise _expected(f"'{closing}'", text, end)
    return TripleTerm(subject, predicate, obj), end + len(closing)


def _parse_tagged(lexical: str, tag: str, start: int) -> Literal:
    """Return the literal with a language tag that begins at `start`."""
    if SEPARATOR not in tag:
        return Literal(lexical, tag)
    expected = expected_tag(tag)
    if expected is not None:
        raise InvalidTermError(f"expected {expected} at character {start}, found {quoted(tag)}")
    return tagged_literal(lexical, tag)


def _skip_space(text: str, start: int) -> int:
    while text.startswith((" ", "\t"), start):
        start += 1
    return start


def unescape(text: str) -> str:
    """Replace the escapes of N-Triples in a text. All escapes must be valid."""
    return _ESCAPE.sub(_unescape_one, text) if "\\" in text else text


def unescape_pieces(text: str) -> Iterator[str]:
    """Yield a text with its escapes replaced, in pieces of limited length.

    The regular expression engine needs memory for each escape that it replaces. All escapes must be
    valid.
    """
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        assert match is not None
        yield unescape(match[0])
        at = match.end()


def _unescape_one(match: re.Match[str]) -> str:
    character = match[3]
    if character is not None:
        return _ESCAPED.get(character, character)
    return chr(int(match[1] or match[2], 16))


def _parse_long(text: str, start: int) -> tuple[Term, int]:
    """Parse a term that `_TERM` does not match: it has many escapes, or is malformed."""
    if text.startswith("_:", start):
        raise _expected("a blank node label", text, start + 2)
    if text.startswith("<", start):
        iri, end = _take_iri(text, start + 1)
        if iri.startswith("_:"):
            return BlankNode(_unescape_long(iri[2:])), end
        return Iri(_unescape_long(iri)), end
    if not text.startswith('"', start):
        raise _expected("an RDF term in N-Triples syntax", text, start)
    quote = _end(_LEX_PREFIX, text, start + 1)
    if not text.startswith('"', quote):
        raise _broken(_LEX_PREFIX, "a character that a literal may hold, or '\"'", text, quote)
    lexical = _unescape_long(text[start + 1 : quote])
    if text.startswith("@", quote + 1):
        end = _end(_TAG_PREFIX, text, quote + 2)
        if end == quote + 2 or text.startswith("\\", end):
            raise _broken(_TAG_PREFIX, "a language tag", text, quote + 2)
        tag = _unescape_long(text[quote + 2 : end])
        return _parse_tagged(lexical, tag, quote + 2), end
    if not text.startswith("^^<", quote + 1):
        return Literal(lexical), quote + 1
    if text.startswith("_:", quote + 4):
        raise _expected("the IRI of a datatype", text, quote + 4)
    iri, end = _take_iri(text, quote + 4)
    datatype = _unescape_long(iri)
    return Literal(lexical, None, None if datatype == XSD_STRING else datatype), end


def _take_iri(text: str, start: int) -> tuple[str, int]:
    """Return the IRI whose text begins at `start`, and the index after its `>`."""
    end = _end(_IRI_PREFIX, text, start)
    if not text.startswith(">", end):
        raise _broken(_IRI_PREFIX, "a character that an IRI may hold, or '>'", text, start)
    return text[start:end], end + 1


def _unescape_long(text: str) -> str:
    """Replace the escapes in a text of any length, like `unescape`, but in limited memory."""
    return "".join(unescape_pieces(text)) if "\\" in text else text


def _end(prefix: re.Pattern[str], text: str, start: int) -> int:
    """Return the index where a pattern, matched again and again, stops matching."""
    while True:
        match = prefix.match(text, start)
        if match is None or match.end() == start:
            return start
        start = match.end()


def _broken(prefix: re.Pattern[str], expected: str, text: str, start: int) -> InvalidTermError:
    """Return the error for the index where `prefix` stops matching.

    Args:
        prefix: the pattern of the valid part of the text.
        expected: what is expected after that, unless there is an invalid escape.
        text: the whole string.
        start: index where the match begins.
    """
    at = _end(prefix, text, start)
    return _expected(expected_escape(text, at) or expected, text, at)


def expected_escape(text: str, at: int) -> str | None:
    """Return what is expected in place of an invalid escape; None if no backslash is at `at`."""
    if not text.startswith("\\", at):
        return None
    escape = _ESCAPE.match(text, at)
    if escape is not None and escape[3] is None:
        return "an escape of a Unicode character"
    digits = {"u": 4, "U": 8}.get(text[at + 1 : at + 2])
    return f"{digits} hexadecimal digits" if digits else "an escape sequence"


def _expected(expected: str, text: str, at: int) -> InvalidTermError:
    # Escape a lone surrogate, because no output stream can encode it.
    character = text[at : at + 1].encode("utf-8", "backslashreplace").decode()
    found = f"'{character}'" if character else "the end of the string"
    return InvalidTermError(f"expected {expected} at character {at}, found {found}")


def format_term(term: Term) -> str:
    """Return the canonical string of a term.

    Example:
        >>> from jelly_spark.terms import Literal, format_term
        >>> format_term(Literal("7", datatype="http://www.w3.org/2001/XMLSchema#integer"))
        '"7"^^<http://www.w3.org/2001/XMLSchema#integer>'

    Raises:
        InvalidTermError: the argument is not a term, one of its strings holds a lone surrogate, or
            it nests triple terms more than 63 deep.
    """
    text = _format(term, 0)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidTermError("a term holds a lone surrogate") from None
    return text


def _format(term: object, depth: int) -> str:
    if isinstance(term, Iri):
        return format_iri(escape_iri(_string(term.value)))
    if isinstance(term, Literal):
        lexical = escape_lexical(_string(term.lexical))
        tag = language_tag(term)
        if tag is not None:
            return f'"{lexical}"{format_language(tag)}'
        if term.datatype is not None:
            return f'"{lexical}"{format_datatype(_string(term.datatype))}'
        return f'"{lexical}"'
    if isinstance(term, BlankNode):
        return format_blank_node(_string(term.label))
    if not isinstance(term, TripleTerm):
        raise InvalidTermError(
            "a term must be an Iri, a BlankNode, a Literal or a TripleTerm, not "
            f"{type(term).__name__}"
        )
    if depth == MAX_NESTING:
        raise InvalidTermError(f"triple terms must be nested at most {MAX_NESTING} deep")
    terms = (term.subject, term.predicate, term.object)
    return f"<<( {' '.join(_format(each, depth + 1) for each in terms)} )>>"


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidTermError(f"a term holds strings, not {type(value).__name__}")
    return value
