"""N-Triples in plain Python. It writes the same lines as the JVM's codec for the same rows."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.ntriples.options import NTriplesOptions
from jelly_spark.formats.ntriples.reader import NTriplesReader, read_ntriples
from jelly_spark.formats.ntriples.writer import NTriplesWriter, write_ntriples

__all__ = ["FORMAT"]

FORMAT = Format(
    "ntriples",
    ".nt",
    RdfRow,
    NTriplesOptions,
    NTriplesWriter,
    write_ntriples,
    NTriplesReader,
    read_ntriples,
    columns=("subject", "predicate", "object", "graph"),
)
"""The format N-Triples."""
