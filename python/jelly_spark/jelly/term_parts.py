"""Terms in the parts that the writer needs: IRIs split for the lookups, strings as bytes.

The parts of two terms are equal exactly where the terms are: no kind has the shape of another.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from jelly_spark._proto.rdf_pb2 import RdfLiteral
from jelly_spark.core.memo import Memo
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, parse_term
from jelly_spark.errors import InvalidTermError
from jelly_spark.jelly.wire import BYTES, sized, tag

_LEX = tag(RdfLiteral, "lex", BYTES)
_LANGTAG = tag(RdfLiteral, "langtag", BYTES)

# A fragment is looked for behind the scheme and the slashes of "https://", in UTF-16 units.
_FRAGMENT_FROM = 8


class IriParts(NamedTuple):
    """An IRI, as the entries of the two lookups that it needs."""

    prefix: str
    name: str


class BlankNodeParts(NamedTuple):
    """A blank node: its label in UTF-8, with its length before it."""

    label: bytes


class LiteralParts(NamedTuple):
    """A literal: its message as far as it does not depend on a lookup, and its datatype."""

    message: bytes
    datatype: str | None


class TripleParts(NamedTuple):
    """A quoted triple."""

    subject: Parts
    predicate: Parts
    object: Parts


Parts: TypeAlias = IriParts | BlankNodeParts | LiteralParts | TripleParts


# What nearly all terms are: an IRI or a literal without escapes. What follows a literal's quotes is
# for the parser.
_PLAIN_IRI = re.compile(r"""<(?!_:)([^\x00-\x20<>"{}|^`\\\ud800-\udfff]*)>""")
_PLAIN_LITERAL = re.compile(r""""([^"\\\n\r\ud800-\udfff]*)"(.*)""", re.DOTALL)

_new_parts = tuple.__new__


class TermSplitter:
    """Parses terms and splits them.

    Args:
        prefixes: whether there is a prefix lookup; without one, a name holds the whole IRI.
    """

    def __init__(self, *, prefixes: bool) -> None:
        self._prefixes = prefixes
        # By what follows a literal's quotes: the parts of the empty literal with that.
        self._endings = Memo(_split_ending)

    def split(self, text: str) -> Parts:
        """Return the parts of a term in N-Triples syntax.

        Raises:
            InvalidTermError: the string is no term.
        """
        # Plain terms need not go through the parser, which takes twice the time.
        if not isinstance(text, str):
            return self._parts(parse_term(text))
        plain = _PLAIN_IRI.fullmatch(text)
        if plain is not None:
            return self._split_iri(plain[1])
        plain = _PLAIN_LITERAL.fullmatch(text)
        if plain is not None:
            lexical, ending = plain.groups()
            try:
                end, datatype = self._endings[ending]
            except InvalidTermError:
                # The parser must say where in the whole term that is.
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
        # Half the time of IriParts(...).
        return _new_parts(IriParts, (iri[:at], iri[at:]))


def _split_literal(literal: Literal) -> LiteralParts:
    message = _lexical_field(literal.lexical)
    if literal.language is not None:
        message += _LANGTAG + sized(literal.language.encode())
    return LiteralParts(message, literal.datatype)


def _split_ending(ending: str) -> LiteralParts:
    literal = parse_term(f'""{ending}')
    assert isinstance(literal, Literal)
    return _split_literal(literal)


def _lexical_field(lexical: str) -> bytes:
    # An empty string is left out.
    return _LEX + sized(lexical.encode()) if lexical else b""


def prefix_length(iri: str) -> int:
    """Return how many characters of an IRI are its prefix, split as the reference does.

    After the first `#` behind the scheme, else after the last `/`, else there is no prefix.
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
        units += 1 if character <= "\uffff" else 2
    return len(iri)
