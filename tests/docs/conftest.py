"""Where the pages' blocks run."""

import pytest

from tests.docs.environment import user_environment


@pytest.fixture(scope="package")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a user who has the package installed, and Spark quiet and small."""
    return user_environment(tmp_path_factory.mktemp("conf"))
