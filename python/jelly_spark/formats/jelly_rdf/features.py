"""The features that a stream's options must announce (Jelly-RDF, "Stream options")."""

from __future__ import annotations

from typing import Any

from jelly_spark.core.violation import Violation
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions


def check_triple(message: Any, options: JellyRdfOptions) -> None:
    """Check that a triple or a quad needs no feature but those that the options announce.

    Args:
        message: what has the oneofs of a triple.
        options: of its stream.

    Raises:
        Violation: it does.
    """
    subject = message.WhichOneof("subject")
    predicate = message.WhichOneof("predicate")
    if not options.generalized and (subject == "s_literal" or predicate not in (None, "p_iri")):
        raise Violation("no generalized statements, by the options", "one")
    for field in (subject, predicate, message.WhichOneof("object")):
        if field is not None and field.endswith("triple_term"):
            if not options.rdf_star:
                raise Violation("no quoted triples, by the options", "one")
            check_triple(getattr(message, field), options)


def check_graph(message: Any, options: JellyRdfOptions) -> None:
    """Check the same of the graph of a quad or of a graph's start.

    Raises:
        Violation: the graph is a literal, and the options announce no generalized statements.
    """
    if not options.generalized and message.WhichOneof("graph") == "g_literal":
        raise Violation("no generalized statements, by the options", "one")
