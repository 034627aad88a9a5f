"""The services of these tests, and the class paths of what uses them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.docs.environment import user_environment
from tests.java import java_for_jena_6
from tests.services.broker import Broker, java, kafka_broker
from tests.services.classpaths import classpath, jars
from tests.services.fuseki import Fuseki, fuseki_server
from tests.services.oxigraph import Oxigraph, oxigraph_server
from tests.services.triple_stores import StoreServer


@pytest.fixture(scope="package")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A Kafka broker that runs. Tests use topics of their own, and leave it running."""
    with kafka_broker(classpath("broker"), tmp_path_factory.mktemp("kafka")) as started:
        yield started


@pytest.fixture(scope="package")
def fuseki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuseki]:
    """Jena Fuseki, running."""
    with fuseki_server(java(), classpath("fuseki"), tmp_path_factory.mktemp("fuseki")) as started:
        yield started


@pytest.fixture(scope="package")
def fuseki_6(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuseki]:
    """Fuseki of Jena 6, running."""
    command, folder = str(java_for_jena_6()), tmp_path_factory.mktemp("fuseki-6")
    with fuseki_server(command, classpath("fuseki-6"), folder) as started:
        yield started


@pytest.fixture(scope="package")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oxigraph]:
    """Oxigraph's server."""
    with oxigraph_server(tmp_path_factory.mktemp("oxigraph")) as started:
        yield started


@pytest.fixture(
    params=[
        "fuseki",
        pytest.param("fuseki_6", marks=pytest.mark.long),
        pytest.param("oxigraph", marks=pytest.mark.long),
    ]
)
def server(request: pytest.FixtureRequest) -> StoreServer:
    """A triple store that runs. Tests use datasets of their own, and leave it running."""
    found: StoreServer = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="package")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a user of Delta."""
    settings = f"""
spark.jars {jars("delta")}
spark.sql.extensions io.delta.sql.DeltaSparkSessionExtension
spark.sql.catalog.spark_catalog org.apache.spark.sql.delta.catalog.DeltaCatalog
spark.databricks.delta.snapshotPartitions 1
"""
    return user_environment(tmp_path_factory.mktemp("conf"), settings)
