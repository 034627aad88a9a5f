"""Fixtures of the tests with Spark."""

from collections.abc import Iterator

import pytest

from tests.spark.engines import without_jar


@pytest.fixture(params=["jar", "python"])
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each engine of the column functions; `spark` has the jar, which `python` does not use."""
    if request.param == "jar":
        yield "jar"
    else:
        with without_jar():
            yield "python"
