"""The rules of RDF 1.1 for the terms of a statement, for formats that hold nothing else."""

from __future__ import annotations

from jelly_spark.core.term_patterns import SCHEME, TAG, find_tag_error
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term
from jelly_spark.errors import UnwritableRowError

SUBJECT_RULE = "a subject must be an IRI, a blank node or a quoted triple"
"""The rule that a row breaks whose subject is a literal."""

PREDICATE_RULE = "a predicate must be an IRI"
"""The rule that a row breaks whose predicate is another term."""

NAME_RULE = "a graph must be an IRI or a blank node"
"""The rule that a row breaks whose graph is another term."""

ABSOLUTE_RULE = "an IRI must be absolute"
"""The rule that a relative IRI breaks."""


def check_triple(subject: Term, predicate: Term) -> None:
    """Check the kinds of the terms of a triple; the object may be any term.

    Raises:
        UnwritableRowError: a term may not stand where it does.
    """
    if isinstance(subject, Literal):
        raise UnwritableRowError(SUBJECT_RULE)
    if not isinstance(predicate, Iri):
        raise UnwritableRowError(PREDICATE_RULE)


def check_graph(graph: Term) -> None:
    """Check the kind of term that a graph is.

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
    """Return whether the language tag of a literal, if there is one, follows the grammar.

    It may end with a base direction, as in RDF 1.2.
    """
    tag = literal.language
    return tag is None or (TAG.fullmatch(tag) is not None and find_tag_error(tag) is None)
