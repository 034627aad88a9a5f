"""How files of N-Triples and N-Quads begin: both alike."""

from __future__ import annotations

from jelly_spark.core.files.hints import BLANKS, TURTLE_START

_IRI = rb"<[^<>\x00-\x20]+>"
_TERMS = rb"%b[ \t]+(?:<|_:|\")" % _IRI
# Versions may also begin Turtle.
_NO_TURTLE = rb"(?!%b)%b" % (TURTLE_START, BLANKS)

START = _NO_TURTLE + (
    rb"(?:VERSION[ \t]*\"|<<|<(?!rdf:RDF)[A-Za-z][A-Za-z0-9+.\-]*:|_:|\Z|%b[ \t]+%b)"
    % (_IRI, _TERMS)
)
"""A pattern for a term or a version, or for nothing but white space and comments. A relative IRI
counts only if two more terms follow, because `<html>` looks like one."""

STATEMENT = _NO_TURTLE + rb"(?:VERSION[ \t]*\"|(?:%b|_:[^ \t]+)[ \t]+%b)" % (_IRI, _TERMS)
"""A pattern for three terms or a version."""
