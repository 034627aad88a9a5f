"""Jelly-RDF in plain Python, with the same bytes as the JVM for the same rows and options."""

from jelly_spark.core.format import FormatOf
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions
from jelly_spark.formats.jelly_rdf.reader import JellyRdfReader
from jelly_spark.formats.jelly_rdf.writer import JellyRdfWriter

__all__ = ["FORMAT"]

FORMAT = FormatOf(".jelly", JellyRdfOptions, JellyRdfWriter, JellyRdfReader)
"""Jelly-RDF."""
