"""RDF 1.2's canonical N-Triples, and its rules for literals."""

from __future__ import annotations

import re

from jelly_spark.core.show import escape_character
from jelly_spark.core.terms import (
    MAX_NESTING,
    RDF_DIR_LANG_STRING,
    RDF_LANG_STRING,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
)
from jelly_spark.core.terms.base_direction import join_tag
from jelly_spark.core.terms.statement_rules import (
    check_absolute,
    check_label,
    check_predicate,
    check_subject,
    check_tag,
)
from jelly_spark.errors import UnwritableRowError

TAG_DATATYPES = (RDF_LANG_STRING, RDF_DIR_LANG_STRING)
"""The datatypes that RDF 1.2 forbids without a language tag."""

LONG_SUBTAG = re.compile("[A-Za-z0-9]{9}")
"""A subtag of a language tag that is longer than RDF 1.2 allows (BCP 47), or its beginning."""

ESCAPED = r"\x00-\x1f\x7f\ufffe\uffff"
r"""The characters that canonical literals escape besides `"` and `\\`, for use within a character
class."""

_ESCAPED = re.compile(rf'["\\{ESCAPED}]')
_LETTERS = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}


def format_canonical(term: Term) -> str:
    """Return a term as canonical N-Triples has it as an object.

    Raises:
        UnwritableRowError: canonical N-Triples cannot have the term as an object.
    """
    return _format(term, 0)


def format_canonical_triple(subject: Term, predicate: Term, obj: Term) -> tuple[str, str, str]:
    """Return the terms of a triple as canonical N-Triples has them.

    Raises:
        UnwritableRowError: canonical N-Triples cannot have the triple.
    """
    return _format_triple(subject, predicate, obj, 0)


def _format_triple(subject: Term, predicate: Term, obj: Term, depth: int) -> tuple[str, str, str]:
    check_subject(subject)
    if isinstance(subject, TripleTerm):
        raise UnwritableRowError("canonical N-Triples can hold a triple term only as an object")
    first = _format(subject, depth)
    check_predicate(predicate)
    return first, _format(predicate, depth), _format(obj, depth)


def _format(term: Term, depth: int) -> str:
    if isinstance(term, TripleTerm):
        if depth == MAX_NESTING:
            raise UnwritableRowError(f"triple terms must be nested at most {MAX_NESTING} deep")
        terms = _format_triple(term.subject, term.predicate, term.object, depth + 1)
        return f"<<( {' '.join(terms)} )>>"
    if isinstance(term, Literal):
        return _format_literal(term)
    if isinstance(term, Iri):
        check_absolute(term.value)
    else:
        check_label(term)
    return format_term(term)


def _format_literal(literal: Literal) -> str:
    text = f'"{_ESCAPED.sub(_escape, literal.lexical)}"'
    if literal.language is not None:
        check_tag(literal, "N-Triples'")
        if LONG_SUBTAG.search(literal.language):
            raise UnwritableRowError("a subtag of a language tag must have at most 8 characters")
        return f"{text}@{join_tag(literal.language.lower(), literal.direction)}"
    if literal.datatype is not None:
        check_absolute(literal.datatype)
        if literal.datatype in TAG_DATATYPES:
            raise UnwritableRowError(
                "a literal with rdf:langString or rdf:dirLangString needs a tag"
            )
        return f"{text}^^{format_term(Iri(literal.datatype))}"
    return text


def _escape(match: re.Match[str]) -> str:
    return _LETTERS.get(match[0]) or escape_character(match)
