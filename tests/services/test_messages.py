"""Messages that Spark decodes and encodes."""

import subprocess
import sys

from tests.services.broker import Broker
from tests.services.messages import FORMATS, JELLY, Sender, decode, media_type, received
from tests.services.test_jena import PATCHES
from tests.shared import ROOT

TIMEOUT = 300

JOB = "tests.services.jobs.convert"


def test_spark_tells_formats_apart_by_the_header(broker: Broker) -> None:
    broker.create_topic("any-format")
    broker.create_topic("jelly-patch")
    sender = Sender(broker.servers, "any-format")
    for patch in PATCHES:
        for kind in FORMATS:
            sender.send(patch, media_type=kind)
    sender.flush()
    command = [sys.executable, "-m", JOB, broker.servers, "any-format", "jelly-patch"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 0, done.stderr
    messages = received(broker.servers, "jelly-patch", len(PATCHES) * len(FORMATS))
    assert {media_type(message) for message in messages} == {JELLY}
    sent = [patch for patch in PATCHES for _ in FORMATS]
    assert [
        [row._replace(patch=None, tx=None, seq=None) for row in decode(message)]
        for message in messages
    ] == sent
