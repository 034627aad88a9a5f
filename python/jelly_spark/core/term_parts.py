"""Terms as structs of their parts, as the option `terms=struct` and `term_to_struct` have them."""

from __future__ import annotations

from typing import NamedTuple

from jelly_spark.core.terms import (
    RDF_LANG_STRING,
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    parse_term,
)
from jelly_spark.errors import InvalidTermError


class TermParts(NamedTuple):
    """The struct that `term_to_struct` returns, and that `terms=struct` puts into columns."""

    kind: str
    value: str
    datatype: str | None = None
    lang: str | None = None


def parts_of(term: Term) -> TermParts:
    """Return the struct of a term."""
    if isinstance(term, Iri):
        return TermParts("iri", term.value)
    if isinstance(term, BlankNode):
        return TermParts("bnode", term.label)
    if isinstance(term, TripleTerm):
        return TermParts("triple", format_term(term))
    if term.language is not None:
        return TermParts("literal", term.lexical, RDF_LANG_STRING, term.language)
    datatype = XSD_STRING if term.datatype is None else term.datatype
    return TermParts("literal", term.lexical, datatype)


def term_of(kind: str | None, value: str | None, datatype: str | None, lang: str | None) -> Term:
    """Return the term that the fields of a struct describe.

    Raises:
        InvalidTermError: they are not those of a term.
    """
    if value is None:
        raise InvalidTermError("expected a value, found null")
    if kind == "literal":
        return _literal_of(value, datatype, lang)
    if datatype is not None or lang is not None:
        raise InvalidTermError(
            f"expected datatype and lang in literals only, found them in a term of kind {kind}"
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


def _literal_of(lexical: str, datatype: str | None, lang: str | None) -> Literal:
    if lang is None:
        return Literal(lexical, None, None if datatype == XSD_STRING else datatype)
    if datatype not in (None, RDF_LANG_STRING):
        raise InvalidTermError(
            f"expected the datatype rdf:langString beside a lang, found {datatype}"
        )
    return Literal(lexical, lang or None)
