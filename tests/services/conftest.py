"""The services of these tests, and the class paths of what uses them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.broker import Broker, kafka_broker
from tests.services.classpaths import classpath


@pytest.fixture(scope="package")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A Kafka broker that runs. Tests use topics of their own, and leave it running."""
    with kafka_broker(classpath("broker"), tmp_path_factory.mktemp("kafka")) as started:
        yield started
