"""The engines, one after the other."""

import pytest

from tests.algebra.engines import Engine, PythonEngine


@pytest.fixture(scope="module", params=["python", pytest.param("spark", marks=pytest.mark.spark)])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine of patch algebra; only Spark's needs a session."""
    if request.param == "python":
        return PythonEngine()
    from tests.algebra.spark_engine import SparkEngine

    return SparkEngine(request.getfixturevalue("spark"))
