"""RDF Patch as text: Jena's form of today, and the first version with prefixes and repeats."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions
from jelly_spark.formats.rdf_patch.reader import RdfPatchReader
from jelly_spark.formats.rdf_patch.writer import RdfPatchWriter

FORMAT = Format("rdf_patch", ".rdfp", PatchRow, RdfPatchOptions, RdfPatchReader, RdfPatchWriter)
