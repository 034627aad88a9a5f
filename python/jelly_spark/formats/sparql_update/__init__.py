"""SPARQL Update, a write-only format, for stores that do not accept patches."""

from jelly_spark.core.format import WrittenFormat
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.sparql_update.options import SparqlUpdateOptions
from jelly_spark.formats.sparql_update.writer import SparqlUpdateWriter, write_sparql_update

__all__ = ["FORMAT"]

FORMAT = WrittenFormat(
    "sparql_update",
    ".ru",
    PatchRow,
    SparqlUpdateOptions,
    SparqlUpdateWriter,
    write_sparql_update,
)
"""The format SPARQL Update."""
