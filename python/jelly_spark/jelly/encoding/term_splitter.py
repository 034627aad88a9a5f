"""Splitting terms into the parts that are encoded: prefixes, names and bytes.

Invariant: the parts of two terms are equal if and only if the terms are equal. So an encoder finds
repeated terms by comparing parts. Parts are tuples that begin with the kind of the term. Named
tuples would take twice the time to make, and the garbage collector would always traverse them.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal, TypeAlias

from jelly_spark._proto.rdf_pb2 import RdfLiteral
from jelly_spark.core import terms
from jelly_spark.core.bounded_cache import MAX_KEY_LENGTH, BoundedCache
from jelly_spark.core.terms import IRI_CHAR, BlankNode, Iri, Term, language_tag, parse_term
from jelly_spark.errors import InvalidTermError
from jelly_spark.jelly.wire import sized, tag

_LEX: Final = tag(RdfLiteral, "lex")
_LANGTAG: Final = tag(RdfLiteral, "langtag")

# The reference implementation looks for a `#` only after as many UTF-16 code units as "https://"
# has.
_FRAGMENT_FROM: Final = len("https://")
_LAST_OF_BMP: Final = "\uffff"


# The first item of the parts of a term: its kind.
IRI: Final = 0
BLANK_NODE: Final = 1
LITERAL: Final = 2
TRIPLE: Final = 3

IriParts: TypeAlias = tuple[Literal[0], str, str]
"""The parts of an IRI, which become lookup entries: its prefix and its name."""

BlankNodeParts: TypeAlias = tuple[Literal[1], bytes]
"""The part of a blank node: its label in UTF-8, preceded by the label's length."""

LiteralParts: TypeAlias = tuple[Literal[2], bytes, str | None]
"""The parts of a literal: its message without the datatype's id, and the datatype's IRI."""

# `Any` for `Parts`, because mypyc cannot compile a tuple in itself.
TripleParts: TypeAlias = tuple[Literal[3], Any, Any, Any]
"""The parts of a triple term: those of its subject, predicate and object."""

Parts: TypeAlias = IriParts | BlankNodeParts | LiteralParts | TripleParts

# IRIs without escapes: nearly all.
_UNESCAPED_IRI: Final = re.compile(f"<(?!_:){IRI_CHAR}*>")

# The most prefixes that are remembered.
_MOST_PREFIXES: Final = 1024


class TermSplitter:
    """Parses terms and splits them into parts.

    Args:
        prefixes: whether the stream has a prefix table. Without one, a name is a whole IRI.
    """

    def __init__(self, *, prefixes: bool) -> None:
        self._prefixes = prefixes
        # By the text after a literal's closing quote: the parts of the empty literal with that end.
        self._endings: BoundedCache[str, LiteralParts] = BoundedCache(_split_ending)
        # Prefixes without escapes, which end with a `/`.
        self._known_prefixes: set[str] = set()

    def split(self, text: str) -> Parts:
        """Return the parts of a term in N-Triples syntax.

        Raises:
            InvalidTermError: the string is not a term.
        """
        # Fast paths for terms without escapes, in a third of the time of the parser.
        if text[:1] == "<" and text[-1:] == ">":
            at = text.rfind("/") + 1
            prefix = text[1:at]
            name = text[at:-1]
            # Characters that are alphanumeric need no escape, and are faster to find than others.
            if name.isalnum() and prefix in self._known_prefixes:
                return (IRI, prefix, name)
            if _UNESCAPED_IRI.fullmatch(text) is not None:
                parts = self._split_iri(text[1:-1])
                if parts[1] == prefix and 0 < at <= MAX_KEY_LENGTH:
                    self._remember(prefix)
                return parts
        elif text[:1] == '"':
            quote = text.find('"', 1)
            lexical = text[1:quote]
            if quote > 0 and not ("\\" in lexical or "\n" in lexical or "\r" in lexical):
                try:
                    _, end, datatype = self._endings[text[quote + 1 :]]
                    return (LITERAL, _lexical_field(lexical) + end, datatype)
                except (InvalidTermError, UnicodeEncodeError):
                    # Parse the whole term below, so that the error gives the index in the term.
                    pass
        return self._parts(parse_term(text))

    def _parts(self, term: Term) -> Parts:
        if isinstance(term, Iri):
            return self._split_iri(term.value)
        if isinstance(term, terms.Literal):
            return _split_literal(term)
        if isinstance(term, BlankNode):
            return (BLANK_NODE, sized(term.label.encode()))
        return (
            TRIPLE,
            self._parts(term.subject),
            self._parts(term.predicate),
            self._parts(term.object),
        )

    def _split_iri(self, iri: str) -> IriParts:
        at = prefix_length(iri) if self._prefixes else 0
        return (IRI, iri[:at], iri[at:])

    def _remember(self, prefix: str) -> None:
        if len(self._known_prefixes) < _MOST_PREFIXES:
            self._known_prefixes.add(prefix)


def _split_literal(literal: terms.Literal) -> LiteralParts:
    message = _lexical_field(literal.lexical)
    langtag = language_tag(literal)
    if langtag is not None:
        message += _LANGTAG + sized(langtag.encode())
    return (LITERAL, message, literal.datatype)


def _split_ending(ending: str) -> LiteralParts:
    literal = parse_term(f'""{ending}')
    assert isinstance(literal, terms.Literal)
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
