"""Terms in the parts that the writer needs: IRIs split for the lookups, strings as bytes.

The parts of two terms are equal exactly where the terms are: no kind has the shape of another.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from jelly_spark._proto.rdf_pb2 import RdfLiteral
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, parse_term
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


class TermSplitter:
    """Parses terms and splits them.

    Args:
        prefixes: whether there is a prefix lookup; without one, a name holds the whole IRI.
    """

    def __init__(self, *, prefixes: bool) -> None:
        self._prefixes = prefixes

    def split(self, text: str) -> Parts:
        """Return the parts of a term in N-Triples syntax.

        Raises:
            InvalidTermError: the string is no term.
        """
        return self._parts(parse_term(text))

    def _parts(self, term: Term) -> Parts:
        if isinstance(term, Iri):
            iri = term.value
            at = prefix_length(iri) if self._prefixes else 0
            return IriParts(iri[:at], iri[at:])
        if isinstance(term, Literal):
            # Empty strings are left out.
            message = _LEX + sized(term.lexical.encode()) if term.lexical else b""
            if term.language is not None:
                message += _LANGTAG + sized(term.language.encode())
            return LiteralParts(message, term.datatype)
        if isinstance(term, BlankNode):
            return BlankNodeParts(sized(term.label.encode()))
        return TripleParts(
            self._parts(term.subject), self._parts(term.predicate), self._parts(term.object)
        )


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
