"""How both codecs are compared."""

from typing import Any

from hypothesis import settings

from jelly_spark.core.options import WriteOptions
from jelly_spark.errors import UnwritableRowError
from tests.codecs import Codec, PythonCodec

PYTHON = PythonCodec()

generated = settings(derandomize=True, max_examples=100)
"""How the tests use strategies: with the same examples in every run."""


def written(codec: Codec, rows: list[Any], options: WriteOptions) -> bytes | None:
    """Return the bytes, None where the codec refuses."""
    try:
        return codec.encode(rows, options)
    except UnwritableRowError:
        return None
