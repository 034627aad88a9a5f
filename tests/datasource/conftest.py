"""Sessions with each engine.

A process has only one classic session, and the one of the tests has the jar. The session without
the jar is one of Spark Connect, with a server in another process.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.spark.connect import connect_server


@pytest.fixture(scope="session")
def python_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session without the jar."""
    from pyspark.sql.connect.session import SparkSession as RemoteSession

    with connect_server(tmp_path_factory.mktemp("server"), with_jar=False) as server:
        # Not from `pyspark.sql`, which has classic sessions in this process.
        session: Any = RemoteSession.builder.remote(server.url).getOrCreate()
        yield session
        session.stop()


@pytest.fixture(params=["jvm", "python"])
def session(request: pytest.FixtureRequest) -> SparkSession:
    """A session with the jar, and one without it."""
    name = "spark" if request.param == "jvm" else "python_session"
    found: SparkSession = request.getfixturevalue(name)
    return found
