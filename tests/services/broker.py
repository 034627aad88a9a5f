"""A Kafka broker on this machine: Apache Kafka's server, as a cluster of one node."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

HOST = "127.0.0.1"

START_TIMEOUT = 120
"""Seconds in which the broker must be up."""

STOP_TIMEOUT = 30
"""Seconds that the broker is given to end in."""

# Below the ports that Linux gives to clients. A client could get the broker's port while the broker
# is stopped.
_PORTS = range(20_000, 32_000)

_CLUSTER = "jellySparkTestsKafka00"

_SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
listeners=PLAINTEXT://{host}:{port},CONTROLLER://{host}:{controller}
advertised.listeners=PLAINTEXT://{host}:{port}
controller.listener.names=CONTROLLER
log.dirs={data}
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
"""


class Broker:
    """A broker, which can be stopped and started again with its data.

    Args:
        classpath: of Kafka's server.
        folder: for its settings, its data and its log, `broker.log`.

    Attributes:
        servers: its address, as clients want it for `bootstrap.servers`.
    """

    def __init__(self, classpath: str, folder: Path) -> None:
        port, controller = free_ports(2)
        self.servers = f"{HOST}:{port}"
        self._log = folder / "broker.log"
        self._settings = folder / "server.properties"
        self._settings.write_text(
            _SETTINGS.format(host=HOST, port=port, controller=controller, data=folder / "data")
        )
        self._java = [java(), "-Xmx384m", "-cp", classpath]
        self._process: subprocess.Popen[bytes] | None = None
        self._run("kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(self._settings))
        # Errors of its connection are what is waited for, not what is to be printed.
        self._admin = AdminClient({"bootstrap.servers": self.servers, "log_level": 0})

    def start(self) -> None:
        """Start the broker, and wait until it serves clients."""
        # The kernel ends it with this process, however that ends.
        guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        command = [*guard, *self._java, "kafka.Kafka", str(self._settings)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + START_TIMEOUT
        while not self._serves():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < end, self._log.read_text()

    def stop(self) -> None:
        """Stop the broker. Do nothing if it is not started."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def create_topic(self, name: str, partitions: int = 1) -> None:
        """Create a topic."""
        for created in self._admin.create_topics([NewTopic(name, partitions, 1)]).values():
            created.result()

    def _serves(self) -> bool:
        try:
            self._admin.list_topics(timeout=0.5)
        except KafkaException:
            return False
        return True

    def _run(self, *args: str) -> None:
        done = subprocess.run([*self._java, *args], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def kafka_broker(classpath: str, folder: Path) -> Iterator[Broker]:
    """A broker that runs until the end of the block."""
    broker = Broker(classpath, folder)
    try:
        broker.start()
        yield broker
    finally:
        broker.stop()


def java() -> str:
    """The `java` of the machine."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin/java") if home else "java"


def free_ports(count: int) -> list[int]:
    """Return ports that are free, and that no client will be given."""
    found: list[int] = []
    while len(found) < count:
        port = random.choice(_PORTS)
        with socket.socket() as tried:
            try:
                tried.bind((HOST, port))
            except OSError:
                continue
        if port not in found:
            found.append(port)
    return found
