r"""RDF terms and their canonical strings: N-Triples syntax, with `<< s p o >>` for quoted triples.

Canonical: literals escape only `"`, `\`, LF and CR; IRIs only what N-Triples does not allow in
them, as `\uXXXX`; xsd:string is not written; blank nodes are `_:label`, or `<_:label>` where the
label holds a colon, or what the first form cannot hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from jelly_spark.errors import InvalidTermError

MAX_NESTING = 63
"""How deep triples may be quoted: as deep as the reference implementation reads them."""

XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


@dataclass(frozen=True, slots=True)
class Iri:
    """An IRI, without angle brackets, nothing escaped."""

    value: str


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node; the label may be any string."""

    label: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal; with neither tag nor datatype it is an xsd:string.

    It never has both, and a tag is not empty.
    """

    lexical: str
    language: str | None = None
    datatype: str | None = None


@dataclass(frozen=True, slots=True)
class QuotedTriple:
    """A quoted triple of RDF-star."""

    subject: Term
    predicate: Term
    object: Term


Term: TypeAlias = Iri | BlankNode | Literal | QuotedTriple

NAME_START = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
"""What names begin with, PN_CHARS_BASE; for use in a class of characters."""

NAME_REST = "\u00b7\u0300-\u036f\u203f-\u2040-"
"""What names may go on with, besides `NAME_START`, digits and underscores."""

_HEX = "[0-9A-Fa-f]"
UCHAR = rf"\\(?:u|U0000)(?![Dd][89A-Fa-f]){_HEX}{{4}}|\\U00(?:0[1-9A-Fa-f]|10){_HEX}{{4}}"
"""An escape of a Unicode character: of no surrogate, and of nothing above U+10FFFF."""

# The productions of N-Triples, https://www.w3.org/TR/n-triples/#n-triples-grammar, except that a
# language tag can hold anything, if escaped. Each pattern takes all that it can, so that where it
# ends is where a text goes wrong.
_FIRST = NAME_START + "_0-9"
_LABEL = f"[:{_FIRST}](?:[:.{_FIRST}{NAME_REST}]*[:{_FIRST}{NAME_REST}])?"
_IRI_CHAR = r"""[^\x00-\x20<>"{}|^`\\\ud800-\udfff]"""
_IRI_TEXT = f"{_IRI_CHAR}*(?:(?:{UCHAR}){_IRI_CHAR}*)*"
_LEX_CHAR = r"""[^"\\\n\r\ud800-\udfff]"""
_LEX_TEXT = rf"""{_LEX_CHAR}*(?:(?:\\[tbnrf"'\\]|{UCHAR}){_LEX_CHAR}*)*"""
_TAG_CHAR = "[A-Za-z0-9-]"
_TAG_TEXT = f"(?:{_TAG_CHAR}|{UCHAR})+"

_TERM = re.compile(
    rf"<_:(?P<odd>{_IRI_TEXT})>"
    rf"|<(?P<iri>{_IRI_TEXT})>"
    rf"|_:(?P<label>{_LABEL})"
    rf'|"(?P<lex>{_LEX_TEXT})"'
    rf"(?:@(?P<tag>{_TAG_TEXT})(?!{_TAG_CHAR}|\\)"
    rf"|\^\^<(?!_:)(?P<datatype>{_IRI_TEXT})>"
    r"|(?!@|\^\^<))"
)
_ESCAPE = re.compile(rf"\\(?:u({_HEX}{{4}})|U({_HEX}{{8}})|(.))")
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}

_IRI_PREFIX = re.compile(_IRI_TEXT)
_LEX_PREFIX = re.compile(_LEX_TEXT)
_TAG_PREFIX = re.compile(f"(?:{_TAG_TEXT})?")

# RDF 1.1 allows colons in labels, later versions do not: they are read, but not written.
_PLAIN_LABEL = re.compile(f"[{_FIRST}](?:[.{_FIRST}{NAME_REST}]*[{_FIRST}{NAME_REST}])?")
_NOT_IN_IRI = re.compile(r"""[\x00-\x20<>"{}|^`\\]""")
_NOT_IN_TAG = re.compile(r"[^A-Za-z0-9-]")
_LEX_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"})


def parse_term(text: str) -> Term:
    """Return the term that a string in N-Triples syntax stands for.

        parse_term("<http://example.org/a>")  # Iri(value='http://example.org/a')
        parse_term('"1"^^<http://example.org/t>')  # Literal(lexical='1', language=None, ...)

    Nothing may stand before or after it. Spaces and tabs are free inside `<< >>`.

    Raises:
        InvalidTermError: the string is no term, or quotes triples deeper than 63 levels.
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
            raise _expected(f"quoted triples nested at most {MAX_NESTING} deep", text, start)
        return _parse_quoted(text, start + 2, depth + 1)
    match = _TERM.match(text, start)
    if match is None:
        raise _no_term(text, start)
    end = match.end()
    iri = match["iri"]
    if iri is not None:
        return Iri(unescape(iri)), end
    odd, label, lexical, tag, datatype = match.group("odd", "label", "lex", "tag", "datatype")
    if lexical is not None:
        if tag is not None:
            return Literal(unescape(lexical), unescape(tag)), end
        if datatype is not None:
            datatype = unescape(datatype)
            if datatype != XSD_STRING:
                return Literal(unescape(lexical), None, datatype), end
        return Literal(unescape(lexical)), end
    return BlankNode(label if odd is None else unescape(odd)), end


def _parse_quoted(text: str, start: int, depth: int) -> tuple[Term, int]:
    subject, end = _parse_at(text, _skip_space(text, start), depth)
    predicate, end = _parse_at(text, _skip_space(text, end), depth)
    obj, end = _parse_at(text, _skip_space(text, end), depth)
    end = _skip_space(text, end)
    if not text.startswith(">>", end):
        raise _expected("'>>'", text, end)
    return QuotedTriple(subject, predicate, obj), end + 2


def _skip_space(text: str, start: int) -> int:
    while text.startswith((" ", "\t"), start):
        start += 1
    return start


def unescape(text: str) -> str:
    """Return what a text stands for whose escapes are those of N-Triples, all of them valid."""
    return _ESCAPE.sub(_unescape_one, text) if "\\" in text else text


def _unescape_one(match: re.Match[str]) -> str:
    character = match[3]
    if character is not None:
        return _ESCAPED.get(character, character)
    return chr(int(match[1] or match[2], 16))


def _no_term(text: str, start: int) -> InvalidTermError:
    """Return the error for a place where `_TERM` does not match: what it needs, and where."""
    if text.startswith("_:", start):
        return _expected("a blank node label", text, start + 2)
    if text.startswith("<", start):
        return _broken(_IRI_PREFIX, "a character that an IRI may hold, or '>'", text, start + 1)
    if not text.startswith('"', start):
        return _expected("an RDF term in N-Triples syntax", text, start)
    quote = _end(_LEX_PREFIX, text, start + 1)
    if not text.startswith('"', quote):
        return _broken(_LEX_PREFIX, "a character that a literal may hold, or '\"'", text, quote)
    if text.startswith("@", quote + 1):
        return _broken(_TAG_PREFIX, "a language tag", text, quote + 2)
    if text.startswith("_:", quote + 4):
        return _expected("the IRI of a datatype", text, quote + 4)
    return _broken(_IRI_PREFIX, "a character that an IRI may hold, or '>'", text, quote + 4)


def _end(prefix: re.Pattern[str], text: str, start: int) -> int:
    match = prefix.match(text, start)
    return start if match is None else match.end()


def _broken(prefix: re.Pattern[str], expected: str, text: str, start: int) -> InvalidTermError:
    """Return the error for where a prefix ends: an escape that is none, or what is expected."""
    at = _end(prefix, text, start)
    if text.startswith("\\", at):
        escape = _ESCAPE.match(text, at)
        if escape is not None and escape[3] is None:
            expected = "an escape of a Unicode character"
        else:
            digits = {"u": 4, "U": 8}.get(text[at + 1 : at + 2])
            expected = f"{digits} hexadecimal digits" if digits else "an escape sequence"
    return _expected(expected, text, at)


def _expected(expected: str, text: str, at: int) -> InvalidTermError:
    # A lone surrogate is escaped: no stream could take the message.
    character = text[at : at + 1].encode("utf-8", "backslashreplace").decode()
    found = f"'{character}'" if character else "the end"
    return InvalidTermError(f"expected {expected} at character {at}, found {found}")


def format_term(term: Term) -> str:
    """Return the term's canonical string, in N-Triples syntax.

    format_term(Literal("chat", language="fr"))  # '"chat"@fr'
    format_term(BlankNode("b0"))  # '_:b0'
    """
    if isinstance(term, Iri):
        return format_iri(escape_iri(term.value))
    if isinstance(term, Literal):
        lexical = escape_lexical(term.lexical)
        if term.language is not None:
            return f'"{lexical}"{format_language(term.language)}'
        if term.datatype is not None:
            return f'"{lexical}"{format_datatype(term.datatype)}'
        return f'"{lexical}"'
    if isinstance(term, BlankNode):
        return format_blank_node(term.label)
    return format_quoted(
        format_term(term.subject), format_term(term.predicate), format_term(term.object)
    )


def escape_iri(text: str) -> str:
    """Escape what an IRI, or a part of one, cannot hold as it is."""
    # Most names are but letters and digits, and seen to be so at once.
    return text if text.isalnum() else _NOT_IN_IRI.sub(_escape_one, text)


def _escape_one(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"


def format_iri(escaped: str) -> str:
    """Return the string of an IRI whose text is escaped already."""
    if escaped.startswith("_:"):
        # <_:x> is a blank node.
        return f"<\\u005F{escaped[1:]}>"
    return f"<{escaped}>"


def format_blank_node(label: str) -> str:
    """Return the string of a blank node."""
    if _PLAIN_LABEL.fullmatch(label) is not None:
        return f"_:{label}"
    return f"<_:{escape_iri(label)}>"


def escape_lexical(lexical: str) -> str:
    """Escape what a literal cannot hold as it is."""
    # Quicker than a regular expression.
    if '"' in lexical or "\\" in lexical or "\n" in lexical or "\r" in lexical:
        return lexical.translate(_LEX_ESCAPES)
    return lexical


def format_language(tag: str) -> str:
    """Return what follows the quotes of a literal with this language tag; nothing if empty."""
    return "@" + _NOT_IN_TAG.sub(_escape_tag_character, tag) if tag else ""


def _escape_tag_character(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def format_datatype(datatype: str) -> str:
    """Return what follows the quotes of a literal with this datatype: nothing for xsd:string."""
    return "" if datatype == XSD_STRING else "^^" + format_iri(escape_iri(datatype))


def format_quoted(subject: str, predicate: str, obj: str) -> str:
    """Return the string of a quoted triple of canonical strings."""
    return f"<< {subject} {predicate} {obj} >>"
