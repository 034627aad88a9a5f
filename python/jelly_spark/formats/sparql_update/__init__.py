"""SPARQL Update, which is only written, for stores that do not take patches."""

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
"""SPARQL Update."""
