"""The engines, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.algebra.engines import Engine, PythonEngine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark_engine(spark: SparkSession) -> Engine:
    """Spark's engine."""
    from tests.algebra.spark_engine import SparkEngine

    return SparkEngine(spark)


@pytest.fixture(scope="module", params=["python", pytest.param("spark", marks=pytest.mark.spark)])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine of patch algebra; only Spark's needs a session."""
    if request.param == "python":
        return PythonEngine()
    found: Engine = request.getfixturevalue("spark_engine")
    return found
