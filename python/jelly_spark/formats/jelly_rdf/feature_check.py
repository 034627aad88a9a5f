"""Checks that a stream uses only the features in its options (Jelly-RDF, "Stream options")."""

from __future__ import annotations

from typing import Any

from jelly_spark.core.malformed_input import Violation
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions


def check_triple(message: Any, options: JellyRdfOptions) -> None:
    """Check that the options announce the features that a statement's triple uses.

    Args:
        message: a triple, a quad or a quoted triple.
        options: the options of its stream.

    Raises:
        Violation: the triple is generalized or has a quoted triple, and the options do not announce
            that.
    """
    subject = message.WhichOneof("subject")
    predicate = message.WhichOneof("predicate")
    if not options.generalized and (subject == "s_literal" or predicate not in (None, "p_iri")):
        raise _not_announced("generalized statement", "generalized statements")
    for field in (subject, predicate, message.WhichOneof("object")):
        if field is not None and field.endswith("triple_term"):
            if not options.rdf_star:
                raise _not_announced("quoted triple", "RDF-star")
            check_triple(getattr(message, field), options)


def check_graph(message: Any, options: JellyRdfOptions) -> None:
    """Check that the options announce the feature that a graph uses.

    Args:
        message: a quad or the start of a graph.
        options: the options of its stream.

    Raises:
        Violation: the graph is a literal, and the options do not announce generalized statements.
    """
    if not options.generalized and message.WhichOneof("graph") == "g_literal":
        raise _not_announced("generalized statement", "generalized statements")


def _not_announced(found: str, feature: str) -> Violation:
    return Violation(f"no {found}, since the options do not announce {feature}", f"a {found}")
