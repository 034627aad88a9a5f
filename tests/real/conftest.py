"""The real data that the tests here share."""

from pathlib import Path

import pytest

from tests.real.schemaorg import Statement, read_releases


@pytest.fixture(scope="session")
def triples(shared: Path) -> dict[str, set[Statement]]:
    """The releases of schema.org, oldest first."""
    releases = read_releases(shared / "data/schemaorg")
    if not releases:
        pytest.skip("no releases of schema.org in the shared data")
    return releases
