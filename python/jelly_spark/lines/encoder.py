"""Encoding rows as lines of N-Triples and N-Quads."""

from __future__ import annotations

import re

from jelly_spark.core.rows import RdfRow
from jelly_spark.core.statement_rules import (
    check_absolute,
    check_graph,
    check_triple,
    has_valid_tag,
)
from jelly_spark.core.term_patterns import SCHEME, literal_pattern
from jelly_spark.core.terms import (
    CANONICAL_LABEL,
    IRI_CHAR,
    LEXICAL_CHAR,
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    Term,
    format_term,
    is_canonical_label,
    parse_term,
)
from jelly_spark.errors import UnwritableRowError

# Fast path: terms in canonical form are written as they are; all others are parsed first. The three
# terms are matched at once, joined by line feeds, which no canonical term contains.
_IRI = f"<{SCHEME.pattern}{IRI_CHAR}*>"
_RESOURCE = f"{_IRI}|_:{CANONICAL_LABEL}"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_is_triple = re.compile(f"(?:{_RESOURCE})\n{_IRI}\n(?:{_RESOURCE}|{_LITERAL})").fullmatch
_is_resource = re.compile(_RESOURCE).fullmatch


class LineEncoder:
    """Encodes rows as lines.

    Args:
        has_graphs: whether statements may have graphs, as in N-Quads.
    """

    def __init__(self, *, has_graphs: bool) -> None:
        self._has_graphs = has_graphs

    def format(self, row: RdfRow) -> str:
        """Return the line for a row, with its line feed.

        Raises:
            InvalidTermError: a string is not an RDF term in N-Triples syntax.
            UnwritableRowError: the row lacks a term, or the format cannot represent it.
        """
        subject, predicate, obj, graph, name, _, _, _ = row
        if name is not None:
            raise UnwritableRowError("a namespace cannot be written as N-Triples or N-Quads")
        if subject is None or predicate is None or obj is None:
            raise UnwritableRowError("a statement needs a subject, a predicate and an object")
        if graph is not None and not self._has_graphs:
            raise UnwritableRowError("N-Triples cannot hold a graph: write nquads")
        if not _is_triple(f"{subject}\n{predicate}\n{obj}"):
            subject, predicate, obj = _format_triple(subject, predicate, obj)
        if graph is None:
            return f"{subject} {predicate} {obj} .\n"
        if not isinstance(graph, str) or not _is_resource(graph):
            graph = _format_graph(graph)
        return f"{subject} {predicate} {obj} {graph} .\n"


def _format_triple(subject: str, predicate: str, obj: str) -> tuple[str, str, str]:
    terms = parse_term(subject), parse_term(predicate), parse_term(obj)
    _check_triple(*terms)
    return format_term(terms[0]), format_term(terms[1]), format_term(terms[2])


def _format_graph(graph: str) -> str:
    term = parse_term(graph)
    check_graph(term)
    _check_term(term)
    return format_term(term)


def _check_triple(subject: Term, predicate: Term, obj: Term) -> None:
    check_triple(subject, predicate)
    for term in (subject, predicate, obj):
        _check_term(term)


def _check_term(term: Term) -> None:
    """Check that a term follows the grammar of N-Triples, extended by RDF-star's quoted triples.

    Raises:
        UnwritableRowError: the term does not.
    """
    if isinstance(term, Iri):
        check_absolute(term.value)
    elif isinstance(term, BlankNode):
        if not is_canonical_label(term.label):
            raise UnwritableRowError("a blank node label must follow N-Triples' grammar")
    elif isinstance(term, Literal):
        if not has_valid_tag(term):
            raise UnwritableRowError(
                "a language tag must follow N-Triples' grammar, as en or de-CH do"
            )
        if term.datatype is not None:
            check_absolute(term.datatype)
    else:
        _check_triple(term.subject, term.predicate, term.object)
