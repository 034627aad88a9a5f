"""RDF Patch as text: Jena's current syntax, and the first version with prefixes and repeats."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions
from jelly_spark.formats.rdf_patch.reader import RdfPatchReader, read_rdf_patch
from jelly_spark.formats.rdf_patch.writer import RdfPatchWriter, write_rdf_patch

__all__ = ["FORMAT"]

FORMAT = Format(
    "rdf_patch",
    ".rdfp",
    PatchRow,
    RdfPatchOptions,
    RdfPatchWriter,
    write_rdf_patch,
    RdfPatchReader,
    read_rdf_patch,
)
"""RDF Patch text."""
