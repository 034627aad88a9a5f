"""Splitting terms into the parts that are encoded: prefixes, names and bytes.

Invariant: the parts of two terms are equal if and only if the terms are equal. So an encoder finds
repeated terms by comparing parts. Parts are named tuples, and those of different kinds of terms are
never equal, because they differ in their length or in the types of their items.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from jelly_spark._proto.rdf_pb2 import RdfLiteral
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.terms import (
    IRI_CHAR,
    LEXICAL_CHAR,
    BlankNode,
    Iri,
    Literal,
    Term,
    language_tag,
    parse_term,
)
from jelly_spark.errors import InvalidTermError
from jelly_spark.jelly.wire import sized, tag

_LEX: Final = tag(RdfLiteral, "lex")
_LANGTAG: Final = tag(RdfLiteral, "langtag")

# The reference implementation looks for a `#` only after as many UTF-16 code units as "https://"
# has.
_FRAGMENT_FROM: Final = len("https://")
_LAST_OF_BMP: Final = "\uffff"


class IriParts(NamedTuple):
    """The parts of an IRI, which become lookup entries: its prefix and its name."""

    prefix: str
    name: str


class BlankNodeParts(NamedTuple):
    """The part of a blank node: its label in UTF-8, preceded by the label's length."""

    label: bytes


class LiteralParts(NamedTuple):
    """The parts of a literal: its message without the datatype's id, and the datatype's IRI."""

    message: bytes
    datatype: str | None


class TripleParts(NamedTuple):
    """The parts of a triple term: those of its terms."""

    subject: Parts
    predicate: Parts
    object: Parts


Parts: TypeAlias = IriParts | BlankNodeParts | LiteralParts | TripleParts


# IRIs without escapes, and literals without escapes up to the closing quote: nearly all terms.
_UNESCAPED_IRI: Final = re.compile(f"<(?!_:)({IRI_CHAR}*)>")
_UNESCAPED_LITERAL: Final = re.compile(f'"({LEXICAL_CHAR}*)"(.*)', re.DOTALL)

# `tuple.__new__` takes half the time of the named tuples' own `__new__`, a Python function.
_new_parts: Final = tuple.__new__


class TermSplitter:
    """Parses terms and splits them into parts.

    Args:
        prefixes: whether the stream has a prefix table. Without one, a name is a whole IRI.
    """

    def __init__(self, *, prefixes: bool) -> None:
        self._prefixes = prefixes
        # By the text after a literal's closing quote: the parts of the empty literal with that end.
        self._endings = BoundedCache(_split_ending)

    def split(self, text: str) -> Parts:
        """Return the parts of a term in N-Triples syntax.

        Raises:
            InvalidTermError: the string is not a term.
        """
        # Fast path for terms without escapes, in half the time of the parser.
        if not isinstance(text, str):
            return self._parts(parse_term(text))
        match = _UNESCAPED_IRI.fullmatch(text)
        if match is not None:
            return self._split_iri(match[1])
        match = _UNESCAPED_LITERAL.fullmatch(text)
        if match is not None:
            lexical, ending = match.groups()
            try:
                end, datatype = self._endings[ending]
            except InvalidTermError:
                # Parse the whole term below, so that the error gives the index in the term.
                pass
            else:
                return _new_parts(LiteralParts, (_lexical_field(lexical) + end, datatype))
        return self._parts(parse_term(text))

    def _parts(self, term: Term) -> Parts:
        if isinstance(term, Iri):
            return self._split_iri(term.value)
        if isinstance(term, Literal):
            return _split_literal(term)
        if isinstance(term, BlankNode):
            return BlankNodeParts(sized(term.label.encode()))
        return TripleParts(
            self._parts(term.subject), self._parts(term.predicate), self._parts(term.object)
        )

    def _split_iri(self, iri: str) -> IriParts:
        at = prefix_length(iri) if self._prefixes else 0
        return _new_parts(IriParts, (iri[:at], iri[at:]))


def _split_literal(literal: Literal) -> LiteralParts:
    message = _lexical_field(literal.lexical)
    langtag = language_tag(literal)
    if langtag is not None:
        message += _LANGTAG + sized(langtag.encode())
    return LiteralParts(message, literal.datatype)


def _split_ending(ending: str) -> LiteralParts:
    literal = parse_term(f'""{ending}')
    assert isinstance(literal, Literal)
    return _split_literal(literal)


def _lexical_field(lexical: str) -> bytes:
    # proto3 omits an empty string.
    return _LEX + sized(lexical.encode()) if lexical else b""


def prefix_length(iri: str) -> int:
    """Return the length of an IRI's prefix in characters.

    IRIs are split as in the reference implementation. A prefix ends with the first `#` at or after
    `_FRAGMENT_FROM`, else with the last `/`, else it is empty.
    """
    if "#" in iri:
        at = iri.find("#", _fragment_from(iri))
        if at >= 0:
            return at + 1
    return iri.rfind("/") + 1


def _fragment_from(iri: str) -> int:
    if iri.isascii():
        return _FRAGMENT_FROM
    units = 0
    for index, character in enumerate(iri):
        if units >= _FRAGMENT_FROM:
            return index
        units += 1 if character <= _LAST_OF_BMP else 2
    return len(iri)
