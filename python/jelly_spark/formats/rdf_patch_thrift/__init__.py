"""RDF Patch in Apache Jena's binary format, RDF Thrift, with the same bytes as Jena writes."""

from jelly_spark.core.format import Format
from jelly_spark.core.rows import PatchRow
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
from jelly_spark.formats.rdf_patch_thrift.reader import RdfPatchThriftReader, read_rdf_patch_thrift
from jelly_spark.formats.rdf_patch_thrift.writer import RdfPatchThriftWriter, write_rdf_patch_thrift

__all__ = ["FORMAT"]

FORMAT = Format(
    "rdf_patch_thrift",
    ".trp",
    PatchRow,
    RdfPatchThriftOptions,
    RdfPatchThriftWriter,
    write_rdf_patch_thrift,
    RdfPatchThriftReader,
    read_rdf_patch_thrift,
)
"""RDF Patch in Thrift."""
