"""How files of each syntax begin."""

from __future__ import annotations

from jelly_spark.core.files.hints import (
    BLANKS,
    TURTLE_START,
    UTF_16,
    VERSIONS,
    Beginning,
    matcher,
)

_XML = BLANKS + rb"(?:<\?xml|<rdf:RDF)"
RDF_XML = rb"%b|%b" % (_XML, UTF_16)
"""A pattern for RDF/XML."""

JSON_LD = BLANKS + rb"(?:\{[ \t\r\n]*[\"}]|\[[ \t\r\n]*[\[{\"])"
"""A pattern for JSON-LD."""

TURTLE = (
    rb"(?!%b|%b)" % (_XML, JSON_LD)
    + VERSIONS
    + rb"(?:(?i:@?prefix|@?base|graph)\s|<(?!(?i:!doctype|html))|_:|[\[({]|[\w.\-]*:|\Z)"
)
"""A pattern for Turtle, TriG and N3, which N-Triples and N-Quads match, too."""

BEGINNINGS = (
    Beginning(
        "rdf",
        "Turtle or TriG: read it with the format rdf",
        matcher(rb"%b|%b@prefix\s" % (TURTLE_START, BLANKS)),
        syntax="trig",
    ),
    # A server's answer about an error can be valid XML or JSON, and have no statements. It does not
    # begin as the second pattern says.
    Beginning(
        "rdf",
        "XML: if it is RDF/XML, read it with the format rdf and the syntax rdfxml",
        matcher(_XML),
        matcher(
            rb"%b(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!DOCTYPE\s+)?rdf:RDF\b"
            % BLANKS
        ),
        syntax="rdfxml",
    ),
    Beginning(
        "rdf",
        "JSON: if it is JSON-LD, read it with the format rdf and the syntax jsonld",
        matcher(JSON_LD),
        matcher(rb"%b(?:\[\s*)?\{\s*\"@(?:context|graph|id)\"\s*:" % BLANKS),
        syntax="jsonld",
    ),
)
"""The beginnings of files that are read as other formats, or from pipes."""
