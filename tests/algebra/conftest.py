"""The engines, one after the other."""

import pytest

from tests.algebra.engines import Engine, PythonEngine


@pytest.fixture(scope="module", params=["python"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine of patch algebra."""
    return PythonEngine()
