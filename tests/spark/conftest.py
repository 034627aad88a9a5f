"""The Spark session of these tests."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import jelly_spark


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session made as users make theirs."""
    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    )
    session = jelly_spark.configure(builder).getOrCreate()
    # Jobs that fail are what many of these tests are about.
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
