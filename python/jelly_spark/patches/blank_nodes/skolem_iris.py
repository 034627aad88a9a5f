"""Skolem IRIs in states: read back as the blank nodes that they stand for."""

from __future__ import annotations

from jelly_spark.core.terms import BlankNode, Iri, Term, TripleTerm, format_term, parse_term
from jelly_spark.core.terms.skolem_iris import check_skolem_base, skolemized_label
from jelly_spark.patches.statements import Statement


def with_blank_nodes(statements: set[Statement], skolem_base: str) -> set[Statement]:
    """Return a state with blank nodes in place of the skolem IRIs that stand for them.

    Args:
        statements: the state.
        skolem_base: the beginning of skolem IRIs; if it is empty, the state stays as it is.

    Raises:
        OptionError: `skolem_base` is neither empty nor an absolute IRI.
    """
    check_skolem_base(skolem_base)
    if not skolem_base:
        return statements
    return {_with_blank_nodes(statement, skolem_base) for statement in statements}


def _with_blank_nodes(statement: Statement, base: str) -> Statement:
    if not any(term is not None and base in term for term in statement):
        return statement
    subject, predicate, obj, graph = statement
    # A predicate is never a blank node.
    new = Statement(_replaced(subject, base), predicate, _replaced(obj, base))
    return new if graph is None else new._replace(graph=_replaced(graph, base))


def _replaced(text: str, base: str) -> str:
    if base not in text or not text.startswith("<"):
        return text
    return format_term(_unskolemized(parse_term(text), base))


def _unskolemized(term: Term, base: str) -> Term:
    if isinstance(term, Iri):
        label = skolemized_label(base, term.value)
        return term if label is None else BlankNode(label)
    if isinstance(term, TripleTerm):
        subject, obj = _unskolemized(term.subject, base), _unskolemized(term.object, base)
        return TripleTerm(subject, term.predicate, obj)
    return term
