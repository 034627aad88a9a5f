"""The services of these tests, and the class paths of what uses them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.docs.environment import user_environment
from tests.services.broker import Broker, kafka_broker
from tests.services.classpaths import classpath, jars
from tests.services.fuseki import Fuseki, fuseki_server


@pytest.fixture(scope="package")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A Kafka broker that runs. Tests use topics of their own, and leave it running."""
    with kafka_broker(classpath("broker"), tmp_path_factory.mktemp("kafka")) as started:
        yield started


@pytest.fixture(scope="package")
def fuseki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuseki]:
    """Jena Fuseki, running. Tests use datasets of their own, and leave it running."""
    with fuseki_server(classpath("fuseki"), tmp_path_factory.mktemp("fuseki")) as started:
        yield started


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
