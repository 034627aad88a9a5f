"""The rules for the terms of a statement, for formats without generalized statements."""

from __future__ import annotations

from jelly_spark.core.terms import BlankNode, Iri, Literal, Term
from jelly_spark.core.terms.patterns import SCHEME, TAG, find_tag_error
from jelly_spark.core.terms.text import is_canonical_label
from jelly_spark.errors import UnwritableRowError


def check_triple(subject: Term, predicate: Term) -> None:
    """Check the kinds of the terms of a triple; the object may be any term.

    Raises:
        UnwritableRowError: the subject is a literal, or the predicate is not an IRI.
    """
    check_subject(subject)
    check_predicate(predicate)


def check_subject(subject: Term) -> None:
    """Check that a subject is not a literal.

    Raises:
        UnwritableRowError: it is.
    """
    if isinstance(subject, Literal):
        raise UnwritableRowError("a subject must be an IRI, a blank node or a triple term")


def check_predicate(predicate: Term) -> None:
    """Check that a predicate is an IRI.

    Raises:
        UnwritableRowError: it is not.
    """
    if not isinstance(predicate, Iri):
        raise UnwritableRowError("a predicate must be an IRI")


def check_graph(graph: Term) -> None:
    """Check that a graph is an IRI or a blank node.

    Raises:
        UnwritableRowError: it is a literal or a triple term.
    """
    if not isinstance(graph, (Iri, BlankNode)):
        raise UnwritableRowError("a graph must be an IRI or a blank node")


def check_absolute(iri: str) -> None:
    """Check that an IRI, given without escapes, is absolute.

    Raises:
        UnwritableRowError: it is not.
    """
    if not SCHEME.match(iri):
        raise UnwritableRowError("an IRI must be absolute")


def check_label(node: BlankNode) -> None:
    """Check that the label of a blank node can be written after `_:`.

    Raises:
        UnwritableRowError: it cannot.
    """
    if not is_canonical_label(node.label):
        raise UnwritableRowError("a blank node label must follow N-Triples' grammar")


def check_tag(literal: Literal, grammar: str) -> None:
    """Check that a literal has no language tag, or one that follows the grammar.

    Args:
        literal: the literal.
        grammar: whose grammar it is, for the error message: `Turtle's`, for example.

    Raises:
        UnwritableRowError: the tag does not follow the grammar.
    """
    language = literal.language
    if language is not None and (
        TAG.fullmatch(language) is None or find_tag_error(language) is not None
    ):
        raise UnwritableRowError(f"a language tag must follow {grammar} grammar, as en or de-CH do")
