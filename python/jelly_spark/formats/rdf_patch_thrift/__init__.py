"""RDF Patch in Apache Jena's binary format, RDF Thrift, with the same bytes as Jena writes."""

from jelly_spark.core.format import FormatOf
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
from jelly_spark.formats.rdf_patch_thrift.reader import RdfPatchThriftReader
from jelly_spark.formats.rdf_patch_thrift.writer import RdfPatchThriftWriter

__all__ = ["FORMAT"]

FORMAT = FormatOf(".trp", RdfPatchThriftOptions, RdfPatchThriftWriter, RdfPatchThriftReader)
"""RDF Patch in Thrift."""
