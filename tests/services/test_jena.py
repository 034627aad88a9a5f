"""Messages between plain Python and Jena on the JVM, in all formats that patches have."""

import subprocess

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow
from tests.services.broker import Broker, java
from tests.services.classpaths import classpath
from tests.services.messages import FORMATS, Sender, Statement, decode, media_type, received, replay

TIMEOUT = 120

ALICE, NAME, KNOWS = "<http://example.org/alice>", "<urn:x:name>", "<urn:x:knows>"
PEOPLE = "<urn:x:people>"

PATCHES = [
    [
        PatchRow("H", name="id", value="<urn:uuid:1>"),
        PatchRow("TX"),
        PatchRow("PA", name="x", value="<urn:x:>"),
        PatchRow("A", ALICE, NAME, '"Alice"'),
        PatchRow("A", ALICE, NAME, '"Älice \\"A\\"\\n"@de', PEOPLE),
        PatchRow("A", ALICE, KNOWS, "_:b1", PEOPLE),
        PatchRow("TC"),
    ],
    [
        PatchRow("H", name="prev", value="<urn:uuid:1>"),
        PatchRow("TX"),
        PatchRow("D", ALICE, NAME, '"Alice"'),
        PatchRow("A", ALICE, NAME, '"Alice Smith"'),
        PatchRow("A", "_:b1", NAME, '"Bob"', PEOPLE),
        PatchRow("TC"),
    ],
    [
        PatchRow("TX"),
        PatchRow("D", ALICE, KNOWS, "_:b1", PEOPLE),
        PatchRow("A", ALICE, KNOWS, "_:b2", PEOPLE),
        PatchRow("A", ALICE, "<urn:x:height>", '"1.70"^^<urn:x:metre>'),
        PatchRow("TC"),
    ],
]

UPDATES = """\
INSERT DATA { <urn:s> <urn:p> "1", "ü" . GRAPH <urn:g> { <urn:s> <urn:p> "1", "2"@en } }
DELETE DATA { <urn:s> <urn:p> "1" } ; INSERT DATA { GRAPH <urn:h> { <urn:s> <urn:p> <urn:o> } }
DELETE WHERE { GRAPH <urn:g> { ?s ?p "1" } }
INSERT { GRAPH <urn:g> { ?s <urn:q> ?o } } WHERE { ?s <urn:p> ?o }
"""


def jena(*args: str, updates: str = "") -> set[Statement]:
    """Run the peer, and return the statements of its dataset in the end."""
    command = [java(), "-Xmx256m", "-cp", classpath("peer"), "org.jellyspark.services.JenaPeer"]
    done = subprocess.run(
        [*command, *args],
        input=updates.encode(),
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return replay([codec.read(done.stdout, format="rdf_patch")])


@pytest.mark.parametrize("shift", range(len(FORMATS)))
def test_jena_receives_what_python_sends(broker: Broker, shift: int) -> None:
    topic = f"to-jena-{shift}"
    broker.create_topic(topic)
    sender = Sender(broker.servers, topic)
    kinds = [*FORMATS, *FORMATS][shift:]
    for patch, kind in zip(PATCHES, kinds, strict=False):
        sender.send(patch, media_type=kind)
    sender.flush()
    assert jena("consume", broker.servers, topic, str(len(PATCHES))) == replay(PATCHES)


def test_python_receives_what_jena_sends(broker: Broker) -> None:
    broker.create_topic("from-jena")
    dataset = jena("produce", broker.servers, "from-jena", updates=UPDATES)
    messages = received(broker.servers, "from-jena", UPDATES.count("\n"))
    assert {media_type(message) for message in messages} == set(FORMATS)
    assert len(dataset) == 4
    assert replay(map(decode, messages)) == dataset


def test_the_broker_keeps_messages_while_it_is_stopped(broker: Broker) -> None:
    broker.create_topic("kept")
    sender = Sender(broker.servers, "kept")
    sender.send(PATCHES[0])
    sender.flush()
    broker.stop()
    # Waits for the broker, and is sent once.
    sender.send(PATCHES[1])
    broker.start()
    sender.flush()
    messages = received(broker.servers, "kept", 2)
    assert replay(map(decode, messages)) == replay(PATCHES[:2])
