"""Reading and writing in memory."""

import io
from collections.abc import Iterable

from jelly_spark.codec import PatchRow, RdfPatchThriftOptions, read_rdf_patch_thrift
from tests.codecs import PythonCodec


def read(data: bytes, *, strict: bool = False) -> list[PatchRow]:
    """Return the rows of a file."""
    return list(read_rdf_patch_thrift(io.BytesIO(data), strict=strict))


def encode(rows: Iterable[PatchRow]) -> bytes:
    """Return the file that holds the rows."""
    return PythonCodec().encode(rows, RdfPatchThriftOptions())
