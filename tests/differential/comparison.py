"""How both codecs are compared."""

from typing import Any

from hypothesis import HealthCheck, settings

from jelly_spark.core.options import WriteOptions
from jelly_spark.errors import UnwritableRowError
from tests.codecs import Codec, PythonCodec

PYTHON = PythonCodec()

# The same examples in every run. A call of the JVM may take long when it is the first.
generated = settings(
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""How the tests use strategies."""


def written(codec: Codec, rows: list[Any], options: WriteOptions) -> bytes | None:
    """Return the bytes, None where the codec refuses."""
    try:
        return codec.encode(rows, options)
    except UnwritableRowError:
        return None
