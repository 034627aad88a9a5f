"""N-Quads in plain Python. It writes the same lines as the JVM's codec for the same rows."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats.nquads.options import NQuadsOptions
from jelly_spark.formats.nquads.reader import NQuadsReader, read_nquads
from jelly_spark.formats.nquads.writer import NQuadsWriter, write_nquads

__all__ = ["FORMAT"]

FORMAT = Format(
    "nquads",
    ".nq",
    RdfRow,
    NQuadsOptions,
    NQuadsWriter,
    write_nquads,
    NQuadsReader,
    read_nquads,
    columns=("subject", "predicate", "object", "graph"),
)
"""The format N-Quads."""
