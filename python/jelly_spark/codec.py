"""All formats in plain Python: reading and writing, streaming, in bounded memory.

Needs `protobuf` only. The bytes it writes are those of the JVM codec for the same rows and options.
"""

from jelly_spark.core.rows import PatchRow, RdfRow
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions, StatementType, StreamType
from jelly_spark.formats.jelly_patch.reader import JellyPatchReader, read_jelly_patch
from jelly_spark.formats.jelly_patch.writer import JellyPatchWriter
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions, LogicalType, PhysicalType
from jelly_spark.formats.jelly_rdf.reader import JellyRdfReader, RdfFrame, read_jelly_rdf
from jelly_spark.formats.jelly_rdf.writer import JellyRdfWriter
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions, Style
from jelly_spark.formats.rdf_patch.reader import RdfPatchReader, read_rdf_patch
from jelly_spark.formats.rdf_patch.writer import RdfPatchWriter
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
from jelly_spark.formats.rdf_patch_thrift.reader import (
    RdfPatchThriftReader,
    read_rdf_patch_thrift,
)
from jelly_spark.formats.rdf_patch_thrift.writer import RdfPatchThriftWriter
from jelly_spark.jelly.options import ReadLimits

__all__ = [
    "JellyPatchOptions",
    "JellyPatchReader",
    "JellyPatchWriter",
    "JellyRdfOptions",
    "JellyRdfReader",
    "JellyRdfWriter",
    "LogicalType",
    "PatchRow",
    "PhysicalType",
    "RdfFrame",
    "RdfPatchOptions",
    "RdfPatchReader",
    "RdfPatchThriftOptions",
    "RdfPatchThriftReader",
    "RdfPatchThriftWriter",
    "RdfPatchWriter",
    "RdfRow",
    "ReadLimits",
    "StatementType",
    "StreamType",
    "Style",
    "read_jelly_patch",
    "read_jelly_rdf",
    "read_rdf_patch",
    "read_rdf_patch_thrift",
]
