"""Reading and writing in memory."""

import io
from collections.abc import Iterable

from jelly_spark.codec import PatchRow, RdfPatchOptions, RdfPatchReader, Style, read_rdf_patch
from tests.codecs import PythonCodec


def read(text: str | bytes, *, strict: bool = False) -> list[PatchRow]:
    """Return the rows of a text."""
    data = text.encode() if isinstance(text, str) else text
    return list(read_rdf_patch(io.BytesIO(data), strict=strict))


def open_reader(text: str | bytes) -> RdfPatchReader:
    """Return a reader of a text."""
    return RdfPatchReader(io.BytesIO(text.encode() if isinstance(text, str) else text))


def encode(rows: Iterable[PatchRow], style: Style = Style.JENA) -> str:
    """Return the text that holds the rows."""
    return PythonCodec().encode(rows, RdfPatchOptions(style)).decode()
