"""The cluster of these tests."""

from collections.abc import Iterator

import pytest

from jelly_spark.session import jar_path
from tests.cluster.standalone import StandaloneCluster, standalone_cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandaloneCluster]:
    """A standalone cluster with two cores."""
    folder = tmp_path_factory.mktemp("cluster")
    with standalone_cluster(folder, jar_path(), cores=2) as started:
        yield started
