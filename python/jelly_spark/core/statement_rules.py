"""The rules of RDF 1.1 for the terms of a statement, for formats that cannot hold other terms."""

from __future__ import annotations

from jelly_spark.core.term_patterns import SCHEME, TAG, find_tag_error
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term
from jelly_spark.errors import UnwritableRowError

SUBJECT_RULE = "a subject must be an IRI, a blank node or a quoted triple"
"""The rule against a literal as a subject."""

PREDICATE_RULE = "a predicate must be an IRI"
"""The rule against another term as a predicate."""

NAME_RULE = "a graph must be an IRI or a blank node"
"""The rule against another term as a graph."""

ABSOLUTE_RULE = "an IRI must be absolute"
"""The rule against relative IRIs."""


def check_triple(subject: Term, predicate: Term) -> None:
    """Check the kinds of the terms of a triple; the object may be any term.

    Raises:
        UnwritableRowError: the subject is a literal, or the predicate is not an IRI.
    """
    if isinstance(subject, Literal):
        raise UnwritableRowError(SUBJECT_RULE)
    if not isinstance(predicate, Iri):
        raise UnwritableRowError(PREDICATE_RULE)


def check_graph(graph: Term) -> None:
    """Check that a graph is an IRI or a blank node.

    Raises:
        UnwritableRowError: it is a literal or a quoted triple.
    """
    if not isinstance(graph, (Iri, BlankNode)):
        raise UnwritableRowError(NAME_RULE)


def check_absolute(iri: str) -> None:
    """Check that an IRI, given without escapes, is absolute.

    Raises:
        UnwritableRowError: it is not.
    """
    if not SCHEME.match(iri):
        raise UnwritableRowError(ABSOLUTE_RULE)


def has_valid_tag(literal: Literal) -> bool:
    """Return whether a literal has no language tag, or one that follows the grammar.

    The tag may end with a base direction, as in RDF 1.2.
    """
    tag = literal.language
    return tag is None or (TAG.fullmatch(tag) is not None and find_tag_error(tag) is None)
