"""Patches from Kafka, applied in order to a log, while the broker and the driver fail."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from tests.services.broker import Broker
from tests.services.messages import Sender, replay
from tests.shared import ROOT

TIMEOUT = 600
GRAPHS = [None, *(f"<urn:graph:{number}>" for number in range(4))]
PATCHES = 15
"""The patches of a round: more than a batch."""

JOB = "tests.services.jobs.apply"


class Sent:
    """Sends patches of the dataset of each graph, and remembers them.

    Their rows add and delete few statements again and again, so that any other order gives another
    state. Some transactions are aborted.
    """

    def __init__(self, broker: Broker, topic: str) -> None:
        broker.create_topic(topic, partitions=2)
        self._random = random.Random(14)
        self._sender = Sender(broker.servers, topic)
        self.flush = self._sender.flush
        self.patches: list[list[PatchRow]] = []

    def send(self, count: int) -> None:
        for _ in range(count):
            graph = self._random.choice(GRAPHS)
            patch = [PatchRow("TX"), *self._changes(graph), PatchRow(self._end())]
            self.patches.append(patch)
            self._sender.send(patch, key=graph or "default")

    def _changes(self, graph: str | None) -> Iterator[PatchRow]:
        for _ in range(self._random.randint(1, 12)):
            op: Literal["A", "D"] = self._random.choice(("A", "D"))
            yield PatchRow(op, "<urn:s>", "<urn:p>", f'"{self._random.randrange(20)}"', graph)

    def _end(self) -> Literal["TC", "TA"]:
        return "TC" if self._random.random() < 0.8 else "TA"


class Job:
    """A run of `jobs/apply.py`, in a process group of its own.

    Args:
        broker: where the patches come from.
        topic: its topic.
        folder: for the log and the stream's checkpoint.
    """

    def __init__(self, broker: Broker, topic: str, folder: Path) -> None:
        self._command = [sys.executable, "-m", JOB, broker.servers, topic, str(folder)]
        self._folder = folder
        self._errors = folder / "errors"
        self.log: Log[PatchRow] = Log(folder / "logs" / "patches")

    @contextmanager
    def run_to(self, phase: str) -> Iterator[None]:
        """Run to a phase of a batch. Kill it at the end of the block, unless it has ended.

        Args:
            phase: `staging`, when tasks write rows or the patch; `begun`, when the patch is
                appended or about to be; or `appended`.
        """
        patches, staging = self._patches(), {*self._own("staging-*")}
        holds = {
            "staging": lambda: {*self._own("staging-*")} > staging,
            "begun": lambda: any('"done": false' in file.read_text() for file in self._progress()),
            "appended": lambda: self._patches() > patches,
        }[phase]
        with (
            self._errors.open("w") as errors,
            subprocess.Popen(
                self._command, cwd=ROOT, stderr=errors, start_new_session=True
            ) as self._process,
        ):
            try:
                self._wait(holds)
                yield
            finally:
                if self._process.poll() is None:
                    os.killpg(self._process.pid, signal.SIGKILL)

    def finish(self) -> None:
        """Have it apply what is there, and end."""
        (self._folder / "finish").touch()
        assert self._process.wait(timeout=TIMEOUT) == 0, self._errors.read_text()

    def _wait(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + TIMEOUT
        while not holds():
            assert self._process.poll() is None, self._errors.read_text()
            assert time.monotonic() < end, self._errors.read_text()
            time.sleep(0.005)

    def _patches(self) -> int:
        return len([*self._folder.glob("logs/patches/*.jellyp")])

    def _own(self, pattern: str) -> Iterator[Path]:
        return self._folder.glob(f"logs/patches/_log/{pattern}")

    def _progress(self) -> Iterator[Path]:
        return self._own("streams/*.json")


@pytest.mark.long
def test_nothing_lost_and_nothing_doubled(broker: Broker, tmp_path: Path) -> None:
    sent = Sent(broker, "changes")
    job = Job(broker, "changes", tmp_path)
    (tmp_path / "logs").mkdir()
    for phase in ("staging", "begun", "appended"):
        sent.send(PATCHES)
        sent.flush()
        with job.run_to(phase):
            pass
    with job.run_to("staging"):
        broker.stop()
        sent.send(PATCHES)
        broker.start()
        sent.flush()
        job.finish()
    assert job.log.state_at() == replay(sent.patches)
    assert job.log.verify() == []
    ids = [version.id for version in job.log.versions()]
    batches = [int(id.rstrip(">").rpartition("-")[2]) for id in ids]
    assert batches == sorted(set(batches))
    assert len({id.partition("#")[0] for id in ids}) == 1
