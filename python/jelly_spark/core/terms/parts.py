"""Terms as structs of their parts, as the option `terms=struct` and `term_to_struct` have them."""

from __future__ import annotations

from typing import NamedTuple

from jelly_spark.core.terms import (
    RDF_DIR_LANG_STRING,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    datatype_of,
    format_term,
    parse_term,
    tagged_literal,
)
from jelly_spark.core.terms.base_direction import join_tag
from jelly_spark.core.terms.text import XSD_STRING
from jelly_spark.errors import InvalidTermError


class TermParts(NamedTuple):
    """The struct that `term_to_struct` returns, and that `terms=struct` puts into columns."""

    kind: str
    value: str
    datatype: str | None = None
    lang: str | None = None
    direction: str | None = None


def parts_of(term: Term) -> TermParts:
    """Return the struct of a term."""
    if isinstance(term, Iri):
        return TermParts("iri", term.value)
    if isinstance(term, BlankNode):
        return TermParts("bnode", term.label)
    if isinstance(term, TripleTerm):
        return TermParts("triple", format_term(term))
    return TermParts("literal", term.lexical, datatype_of(term), term.language, term.direction)


def term_of(
    kind: str | None,
    value: str | None,
    datatype: str | None,
    lang: str | None,
    direction: str | None,
) -> Term:
    """Return the term that the fields of a struct describe.

    Raises:
        InvalidTermError: they are not those of a term.
    """
    if value is None:
        raise InvalidTermError("expected a value, found null")
    if kind == "literal":
        return _literal_of(value, datatype, lang, direction)
    if datatype is not None or lang is not None or direction is not None:
        raise InvalidTermError(
            "expected datatype, lang and direction in literals only, found them in a term of kind "
            f"{kind}"
        )
    if kind == "iri":
        return Iri(value)
    if kind == "bnode":
        return BlankNode(value)
    if kind != "triple":
        raise InvalidTermError(
            f"expected one of the kinds iri, bnode, literal and triple, found {kind}"
        )
    term = parse_term(value)
    if not isinstance(term, TripleTerm):
        raise InvalidTermError("expected a triple term, found another kind of term")
    return term


def _literal_of(
    lexical: str, datatype: str | None, lang: str | None, direction: str | None
) -> Literal:
    if lang is None:
        if direction is not None:
            raise InvalidTermError(f"expected a lang beside the direction {direction}, found null")
        return Literal(lexical, None, None if datatype == XSD_STRING else datatype)
    literal = tagged_literal(lexical, join_tag(lang, direction))
    expected = datatype_of(literal)
    if datatype not in (None, expected):
        has_direction = expected == RDF_DIR_LANG_STRING
        name = (
            "rdf:dirLangString beside a direction"
            if has_direction
            else "rdf:langString beside a lang"
        )
        raise InvalidTermError(f"expected the datatype {name}, found {datatype}")
    # An empty tag counts as none.
    return literal if lang else Literal(lexical)
