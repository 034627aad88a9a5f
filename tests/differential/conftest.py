"""The JVM's codec for these tests: a session with the packaged jar."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import jelly_spark
from tests.parity.codecs import JvmCodec


@pytest.fixture(scope="module")
def jvm() -> Iterator[JvmCodec]:
    """The JVM's codec; a session that was there before stays."""
    found = SparkSession.getActiveSession()
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = jelly_spark.configure(builder).getOrCreate()
    yield JvmCodec(session)
    if found is None:
        session.stop()
