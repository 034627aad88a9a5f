"""The JVM's codec for these tests."""

import pytest
from pyspark.sql import SparkSession

from tests.codecs import JvmCodec


@pytest.fixture(scope="session")
def jvm(spark: SparkSession) -> JvmCodec:
    """The JVM's codec."""
    return JvmCodec(spark)
