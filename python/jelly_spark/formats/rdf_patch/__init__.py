"""RDF Patch as text: Jena's current syntax, and the first version with prefixes and repeats."""

from jelly_spark.core.format import FormatOf
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions
from jelly_spark.formats.rdf_patch.reader import RdfPatchReader
from jelly_spark.formats.rdf_patch.writer import RdfPatchWriter

__all__ = ["FORMAT"]

FORMAT = FormatOf(".rdfp", RdfPatchOptions, RdfPatchWriter, RdfPatchReader)
"""RDF Patch text."""
