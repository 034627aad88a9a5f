"""Turtle, TriG, N3, RDF/XML and JSON-LD, which can be read, not written."""

from jelly_spark.core.format import ReadFormatOf
from jelly_spark.formats.rdf.reader import RdfReader
from jelly_spark.formats.rdf.syntaxes import EXTENSIONS

__all__ = ["FORMAT", "RdfReader"]

FORMAT = ReadFormatOf(RdfReader, EXTENSIONS)
"""The format of RDF data in any of these syntaxes."""
