"""All formats in plain Python: reading and writing, streaming, in bounded memory.

Needs `protobuf` only. The bytes it writes are those of the JVM codec for the same rows and options.
"""

from jelly_spark.core.rows import PatchRow, RdfRow
from jelly_spark.formats.jelly_patch.options import PatchOptions, StatementType, StreamType
from jelly_spark.formats.jelly_patch.reader import PatchReader, read_patch
from jelly_spark.formats.jelly_patch.writer import PatchWriter
from jelly_spark.formats.jelly_rdf.options import LogicalType, PhysicalType, RdfOptions
from jelly_spark.formats.jelly_rdf.reader import RdfFrame, RdfReader, read_rdf
from jelly_spark.formats.jelly_rdf.writer import RdfWriter
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
    "LogicalType",
    "PatchOptions",
    "PatchReader",
    "PatchRow",
    "PatchWriter",
    "PhysicalType",
    "RdfFrame",
    "RdfOptions",
    "RdfPatchOptions",
    "RdfPatchReader",
    "RdfPatchThriftOptions",
    "RdfPatchThriftReader",
    "RdfPatchThriftWriter",
    "RdfPatchWriter",
    "RdfReader",
    "RdfRow",
    "RdfWriter",
    "ReadLimits",
    "StatementType",
    "StreamType",
    "Style",
    "read_patch",
    "read_rdf",
    "read_rdf_patch",
    "read_rdf_patch_thrift",
]
