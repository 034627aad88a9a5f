"""Frames made by hand, and reading and writing in memory."""

import io
from collections.abc import Iterable
from pathlib import Path

from jelly_spark.codec import JellyPatchOptions, PatchRow, read_jelly_patch
from jelly_spark.jelly.wire import sized
from tests.codecs import PythonCodec
from tests.frames import two_byte_varint

CASES = Path(__file__).resolve().parents[2] / "cases"
"""The parity cases of this checkout."""


def options_row(
    statement_type: int = 2,
    stream_type: int = 3,
    names: int = 8,
    prefixes: int = 2,
    datatypes: int = 2,
    version: int = 1,
) -> bytes:
    """Return the message of an options row; all numbers are under 128."""
    fields = bytes(
        (8, statement_type, 16, stream_type, 72, names, 80, prefixes, 88, datatypes, 120, version)
    )
    return b"\x0a" + sized(fields)


OPTIONS = options_row()
"""An options row of a PUNCTUATED stream of QUADS."""


def frame(*rows: bytes) -> bytes:
    """Return a delimited frame of these rows; its length always takes two bytes."""
    data = b"".join(b"\x0a" + sized(row) for row in rows)
    return two_byte_varint(len(data)) + data


def read(data: bytes, *, strict: bool = False) -> list[PatchRow]:
    """Return the rows of a file."""
    return list(read_jelly_patch(io.BytesIO(data), strict=strict))


def encode(rows: Iterable[PatchRow], options: JellyPatchOptions | None = None) -> bytes:
    """Return the file that holds the rows."""
    return PythonCodec().encode(rows, options or JellyPatchOptions())
