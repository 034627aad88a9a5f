"""Jelly-Patch in plain Python: reading and writing, streaming, in bounded memory.

Needs `protobuf` only. The bytes it writes are those of the JVM codec for the same rows and options.
"""

from jelly_spark.codec.options import PatchOptions, ReadLimits, StatementType, StreamType
from jelly_spark.codec.reader import PatchReader, read_patch
from jelly_spark.codec.rows import PatchRow
from jelly_spark.codec.writer import PatchWriter

__all__ = [
    "PatchOptions",
    "PatchReader",
    "PatchRow",
    "PatchWriter",
    "ReadLimits",
    "StatementType",
    "StreamType",
    "read_patch",
]
