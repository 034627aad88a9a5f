"""Where the pages' blocks run."""

from collections.abc import Iterator

import pytest

from tests.docs.environment import user_environment
from tests.docs.run_page import Pages, running_pages


@pytest.fixture(scope="package")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a user who has the package installed, and Spark quiet and small."""
    return user_environment(tmp_path_factory.mktemp("conf"))


@pytest.fixture(scope="package")
def pages(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """A process for the pages that may share a JVM."""
    with running_pages(environment, tmp_path_factory.mktemp("pages")) as running:
        yield running
