"""Turtle, TriG, N3, RDF/XML and JSON-LD, of which Turtle and TriG can be written."""

from jelly_spark.core.format import ReadFormatOf, WrittenFormatOf
from jelly_spark.formats.rdf.options import RdfOptions
from jelly_spark.formats.rdf.reader import RdfReader
from jelly_spark.formats.rdf.syntaxes import EXTENSIONS, WRITTEN
from jelly_spark.formats.rdf.writer import RdfWriter

__all__ = ["FORMAT", "WRITTEN_FORMAT", "RdfReader"]

FORMAT = ReadFormatOf(RdfReader, EXTENSIONS)
"""The format of RDF data in any of these syntaxes."""

_FIRST, *_OTHERS = (end for syntax in WRITTEN.values() for end in syntax.extensions)

WRITTEN_FORMAT = WrittenFormatOf(
    _FIRST, RdfOptions, RdfWriter, other_extensions=tuple(_OTHERS), by_jena=True
)
"""The same of the syntaxes that can be written, in plain Python only."""
