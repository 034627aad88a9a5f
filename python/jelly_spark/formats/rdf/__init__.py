"""Turtle, TriG, N3, RDF/XML and JSON-LD, of which Turtle and TriG can be written."""

from jelly_spark.core.format import FormatOf
from jelly_spark.formats.rdf.options import RdfOptions
from jelly_spark.formats.rdf.reader import RdfReader
from jelly_spark.formats.rdf.syntaxes import EXTENSIONS, WRITTEN
from jelly_spark.formats.rdf.writer import RdfWriter

__all__ = ["FORMAT", "RdfReader"]

_FIRST, *_OTHERS = (end for syntax in WRITTEN.values() for end in syntax.extensions)

FORMAT = FormatOf(
    _FIRST,
    RdfOptions,
    RdfWriter,
    RdfReader,
    other_extensions=tuple(_OTHERS),
    read_extensions=tuple(end for end in EXTENSIONS if end not in (_FIRST, *_OTHERS)),
    by_jena=True,
)
"""The format of RDF data in any of these syntaxes, of which Spark writes none."""
