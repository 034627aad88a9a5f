"""Patches as messages of Kafka: bytes in one of the formats, and a header that says which."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from confluent_kafka import Consumer, KafkaError, Message, Producer, TopicPartition

from jelly_spark import codec
from jelly_spark.codec import (
    JellyPatchOptions,
    PatchRow,
    RdfPatchOptions,
    RdfPatchThriftOptions,
    WriteOptions,
)

TIMEOUT = 60
"""Seconds in which messages must come."""

FORMATS: dict[str, tuple[str, WriteOptions]] = {
    "application/x-jelly-rdf-patch": ("jelly_patch", JellyPatchOptions(delimited=False)),
    "application/rdf-patch": ("rdf_patch", RdfPatchOptions()),
    "application/rdf-patch+thrift": ("rdf_patch_thrift", RdfPatchThriftOptions()),
}
"""The names of the formats, and how messages are written, by media type."""

TRACES = [("trace", "1"), ("trace", "2")]
"""Headers of other programs, two with one key."""

JELLY = "application/x-jelly-rdf-patch"

Statement = tuple[str, str, str, str | None]


def encode(rows: Iterable[PatchRow], media_type: str = JELLY) -> bytes:
    """Return a message."""
    value = io.BytesIO()
    codec.write(value, rows, options=FORMATS[media_type][1])
    return value.getvalue()


def media_type(message: Message) -> str:
    """What the header of a message says."""
    found = dict(message.headers() or [])["Content-Type"]
    assert isinstance(found, bytes)
    return found.decode()


def decode(message: Message) -> list[PatchRow]:
    """Return the rows of a message."""
    format, _ = FORMATS[media_type(message)]
    rows: Iterator[Any] = codec.read(message.value() or b"", format=format)
    return list(rows)


class Sender:
    """Sends messages, in order.

    Args:
        servers: the broker's address.
        topic: where they go.
    """

    def __init__(self, servers: str, topic: str) -> None:
        settings = {"bootstrap.servers": servers, "enable.idempotence": True, "log_level": 0}
        self._producer = Producer(settings)
        self._topic = topic

    def send(self, rows: Iterable[PatchRow], *, key: str = "", media_type: str = JELLY) -> None:
        """Send a patch."""
        self._producer.produce(
            self._topic,
            encode(rows, media_type),
            key=key,
            headers=[("Content-Type", media_type), *TRACES],
            on_delivery=_check,
        )

    def flush(self) -> None:
        """Wait until the broker has all messages."""
        assert self._producer.flush(TIMEOUT) == 0


def received(servers: str, topic: str, count: int) -> list[Message]:
    """The first messages of a topic of one partition."""
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "none"})
    try:
        consumer.assign([TopicPartition(topic, 0, 0)])
        found = consumer.consume(count, TIMEOUT)
    finally:
        consumer.close()
    assert len(found) == count
    assert all(message.error() is None for message in found)
    return found


def replay(patches: Iterable[Iterable[PatchRow]]) -> set[Statement]:
    """The statements that are there after these patches, of one transaction each or without."""
    found: set[Statement] = set()
    for patch in map(list, patches):
        if any(row.op == "TA" for row in patch):
            continue
        for row in patch:
            statement = (str(row.subject), str(row.predicate), str(row.object), row.graph)
            if row.op == "A":
                found.add(statement)
            elif row.op == "D":
                found.discard(statement)
    return found


def _check(error: KafkaError | None, _: Message) -> None:
    assert error is None, error
