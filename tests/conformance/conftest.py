"""Fixtures of the tests that need both codecs of Jelly-RDF."""

import pytest
from pyspark.sql import SparkSession

from tests.codecs import Codec, JvmCodec, PythonCodec


@pytest.fixture(scope="session", params=["python", "jvm"])
def codec(request: pytest.FixtureRequest) -> Codec:
    """Each of the codecs; the session is made for the second only."""
    if request.param == "python":
        return PythonCodec()
    spark: SparkSession = request.getfixturevalue("spark")
    return JvmCodec(spark)
