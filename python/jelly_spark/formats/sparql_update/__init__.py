"""SPARQL Update, a write-only format, for stores that do not accept patches."""

from jelly_spark.core.format import WrittenFormatOf
from jelly_spark.formats.sparql_update.options import SparqlUpdateOptions
from jelly_spark.formats.sparql_update.writer import SparqlUpdateWriter

__all__ = ["FORMAT"]

FORMAT = WrittenFormatOf(".ru", SparqlUpdateOptions, SparqlUpdateWriter)
"""The format SPARQL Update."""
