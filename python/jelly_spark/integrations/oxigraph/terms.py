"""Terms of pyoxigraph, and their strings in rows."""

from __future__ import annotations

import re
from typing import Any

import pyoxigraph as ox

from jelly_spark.core import terms
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.terms.patterns import COMMON_TAG
from jelly_spark.errors import InvalidTermError

OxigraphTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
"""A term of pyoxigraph."""

_IRI = r'<([^\x00-\x20<>"{}|^`\\]*)>'
# An IRI or a literal without escapes. Datatypes of literals with language tags are left out.
_COMMON = re.compile(
    rf'{_IRI}|"([^"\\\n\r]*)"(?:@({COMMON_TAG})|\^\^(?![^>]*[lL]angString>){_IRI})?'
)


def to_oxigraph(term: str) -> OxigraphTerm:
    """Return a term as pyoxigraph's `NamedNode`, `BlankNode`, `Literal` or `Triple`.

    Lexical forms and blank node labels stay as they are. pyoxigraph writes language tags in lower
    case.

        to_oxigraph('"Tasse"@de').language  # 'de'

    Args:
        term: a term in N-Triples syntax.

    Raises:
        InvalidTermError: the string is not a term; or pyoxigraph has no such term: an IRI that is
            not absolute or not valid, a language tag that is not well-formed, or a label that `_:`
            cannot hold.
    """
    return _convert_common(term) or _convert(parse_term(term))


def _convert_common(term: str) -> OxigraphTerm | None:
    """Convert a term of a common shape, without parsing it; None for others, and for errors."""
    try:
        match = _COMMON.fullmatch(term)
        if match is None:
            return None
        iri, lexical, tag, datatype = match.groups()
        if iri is not None:
            return ox.NamedNode(iri)
        if tag is not None:
            return ox.Literal(lexical, language=tag)
        if datatype is not None:
            return ox.Literal(lexical, datatype=ox.NamedNode(datatype))
        return ox.Literal(lexical)
    except (TypeError, ValueError):
        return None


def _convert(term: terms.Term) -> OxigraphTerm:
    try:
        if isinstance(term, terms.Iri):
            return ox.NamedNode(term.value)
        if isinstance(term, terms.BlankNode):
            return ox.BlankNode(term.label)
        if isinstance(term, terms.TripleTerm):
            parts: list[Any] = [
                _convert(part) for part in (term.subject, term.predicate, term.object)
            ]
            return ox.Triple(*parts)
        if term.language is not None:
            direction = None if term.direction is None else ox.BaseDirection(term.direction)
            return ox.Literal(term.lexical, language=term.language, direction=direction)
        if term.datatype is not None:
            return ox.Literal(term.lexical, datatype=ox.NamedNode(term.datatype))
        return ox.Literal(term.lexical)
    except InvalidTermError:
        # Of a part of a triple term.
        raise
    except (TypeError, ValueError) as error:
        raise InvalidTermError(f"pyoxigraph has no term {format_term(term)}: {error}") from None


def from_oxigraph(term: object) -> str:
    """Return a term of pyoxigraph as a string in N-Triples syntax.

        from_oxigraph(pyoxigraph.Literal(7))  # '"7"^^<http://www.w3.org/2001/XMLSchema#integer>'

    Args:
        term: a `NamedNode`, a `BlankNode`, a `Literal` or a `Triple`.

    Raises:
        InvalidTermError: the term is something else, such as a `Variable`, or nests triples more
            than 63 deep.
    """
    return format_term(_parse(term))


def _parse(term: object) -> terms.Term:
    if isinstance(term, ox.NamedNode):
        return terms.Iri(term.value)
    if isinstance(term, ox.BlankNode):
        return terms.BlankNode(term.value)
    if isinstance(term, ox.Literal):
        if term.language is None:
            return terms.Literal(term.value, None, term.datatype.value)
        direction = None if term.direction is None else term.direction.value
        return terms.Literal(term.value, term.language, None, direction)
    if isinstance(term, ox.Triple):
        return terms.TripleTerm(*map(_parse, term))
    raise InvalidTermError(
        "a term must be a NamedNode, a BlankNode, a Literal or a Triple of pyoxigraph, not "
        f"{type(term).__name__}"
    )
