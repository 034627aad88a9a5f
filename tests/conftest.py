"""Set-up and fixtures of all tests."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import jelly_spark
from tests.codecs import Codec, JvmCodec, PythonCodec
from tests.shared import SHARED

# Spark's Python workers are else whatever `python3` is, and its address what the machine's name is.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The directory of the shared data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared data in {SHARED}: set JELLY_SPARK_SHARED")
    return SHARED


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
    # Jobs that fail are what many tests are about.
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def jvm(spark: SparkSession) -> JvmCodec:
    """The JVM's codec."""
    return JvmCodec(spark)


@pytest.fixture(scope="session", params=["python", "jvm"])
def codec(request: pytest.FixtureRequest) -> Codec:
    """Each of the codecs; the session is made for the second only."""
    if request.param == "python":
        return PythonCodec()
    found: JvmCodec = request.getfixturevalue("jvm")
    return found
