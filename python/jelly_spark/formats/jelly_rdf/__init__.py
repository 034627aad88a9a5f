"""Jelly-RDF, in plain Python: the same bytes as the JVM's codec for the same rows and options."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.jelly_rdf.options import RdfOptions
from jelly_spark.formats.jelly_rdf.reader import RdfReader
from jelly_spark.formats.jelly_rdf.writer import RdfWriter

FORMAT = Format("jelly_rdf", ".jelly", RdfRow, RdfOptions, RdfReader, RdfWriter)
