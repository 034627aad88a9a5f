"""Settings of Spark, for the time of a block of code."""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession


@contextmanager
def setting(spark: SparkSession, key: str, value: object) -> Iterator[None]:
    """Set a key of the session's configuration, and restore it at the end."""
    before = spark.conf.get(key, None)
    spark.conf.set(key, str(value))
    yield
    spark.conf.unset(key) if before is None else spark.conf.set(key, before)
