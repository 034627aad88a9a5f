"""Jelly-RDF in plain Python, with the same bytes as the JVM for the same rows and options."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions
from jelly_spark.formats.jelly_rdf.reader import JellyRdfReader, read_jelly_rdf
from jelly_spark.formats.jelly_rdf.writer import JellyRdfWriter, write_jelly_rdf

__all__ = ["FORMAT"]

FORMAT = Format(
    "jelly_rdf",
    ".jelly",
    RdfRow,
    JellyRdfOptions,
    JellyRdfWriter,
    write_jelly_rdf,
    JellyRdfReader,
    read_jelly_rdf,
)
"""Jelly-RDF."""
