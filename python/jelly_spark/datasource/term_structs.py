"""Terms as structs of their parts, as the option `terms=struct` has them."""

from __future__ import annotations

from typing import Any

from jelly_spark.core.terms import (
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    QuotedTriple,
    format_term,
    parse_term,
)
from jelly_spark.errors import InvalidTermError

_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"


def to_struct(text: str | None) -> dict[str, str | None] | None:
    """Return the parts of a term: `kind`, `value`, `datatype` and `lang`; None for None."""
    if text is None:
        return None
    term = parse_term(text)
    datatype = lang = None
    if isinstance(term, Iri):
        kind, value = "iri", term.value
    elif isinstance(term, BlankNode):
        kind, value = "bnode", term.label
    elif isinstance(term, Literal):
        kind, value, lang = "literal", term.lexical, term.language
        datatype = _LANG_STRING if lang is not None else term.datatype or XSD_STRING
    else:
        kind, value = "triple", format_term(term)
    return {"kind": kind, "value": value, "datatype": datatype, "lang": lang}


def from_struct(parts: dict[str, Any] | None) -> str | None:
    """Return the string of a term, given its parts; None for None.

    Raises:
        InvalidTermError: the parts are not those of a term.
    """
    if parts is None:
        return None
    kind, value, datatype, lang = (parts[name] for name in ("kind", "value", "datatype", "lang"))
    if value is None:
        raise InvalidTermError("expected a value, found null")
    if kind != "literal" and (datatype is not None or lang is not None):
        raise InvalidTermError(
            f"expected datatype and lang in literals only, found them in a term of kind {kind}"
        )
    if kind == "iri":
        return format_term(Iri(value))
    if kind == "bnode":
        return format_term(BlankNode(value))
    if kind == "literal":
        return _format_literal(value, datatype, lang)
    if kind == "triple":
        term = parse_term(value)
        if not isinstance(term, QuotedTriple):
            raise InvalidTermError("expected a quoted triple, found another kind of term")
        return format_term(term)
    raise InvalidTermError(
        f"expected one of the kinds iri, bnode, literal and triple, found {kind}"
    )


def _format_literal(value: str, datatype: str | None, lang: str | None) -> str:
    if lang is None:
        return format_term(Literal(value, None, None if datatype == XSD_STRING else datatype))
    if datatype not in (None, _LANG_STRING):
        raise InvalidTermError(
            f"expected the datatype rdf:langString beside a lang, found {datatype}"
        )
    return format_term(Literal(value, lang or None))
