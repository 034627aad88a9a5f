"""Send the patches of a log to a Kafka topic, one message per patch.

The program ends when the broker has received all messages. Run it as:

    python send_patches.py localhost:9092 patches log.jellyp
"""

import io
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from itertools import groupby

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions

MESSAGE = JellyPatchOptions(delimited=False)  # each message is one frame, without a length
MEDIA_TYPE = "application/x-jelly-rdf-patch"


def send(servers: str, topic: str, log: str) -> None:
    """Send each patch, with the name of the log as the key of its message."""
    producer = Producer({"bootstrap.servers": servers, "enable.idempotence": True})
    for number, patch in groupby(codec.read_jelly_patch(log), key=lambda row: row.patch or 0):
        value = io.BytesIO()
        codec.write(value, patch, options=MESSAGE)
        producer.produce(
            topic,
            value.getvalue(),
            key=log,
            headers={"Content-Type": MEDIA_TYPE},
            on_delivery=check,
        )
        if number % 1000 == 0:  # limits the number of messages in memory
            producer.flush()
    producer.flush()


def check(error: KafkaError | None, message: Message) -> None:
    """Raise an exception if the broker did not receive a message."""
    if error is not None:
        raise KafkaException(error)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("SERVERS", "TOPIC", "LOG"):
        parser.add_argument(name)
    send(*vars(parser.parse_args()).values())
