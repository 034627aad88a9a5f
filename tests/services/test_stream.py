"""Patches from Kafka, applied in order to a Delta table, while the broker and the driver fail."""

import json
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
from tests.services.broker import Broker
from tests.services.messages import Sender, replay
from tests.shared import ROOT

TIMEOUT = 600
GRAPHS = [None, *(f"<urn:graph:{number}>" for number in range(4))]
PATCHES = 15
"""The patches of a round: more than a batch."""

JOB = "tests.services.jobs.apply"


class Log:
    """Sends patches to the log of each graph, and remembers them.

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
        folder: for the tables and the stream's checkpoint.
    """

    def __init__(self, broker: Broker, topic: str, folder: Path) -> None:
        self._command = [sys.executable, "-m", JOB, broker.servers, topic, str(folder)]
        self._folder = folder
        self._errors = folder / "errors"

    @contextmanager
    def run_to(self, place: str) -> Iterator[None]:
        """Run to a place in a batch. Kill it at the end of the block, unless it has ended.

        Args:
            place: `merging`, when it has written a file of the table, which may be of no version of
                the table yet; or a place where it waits.
        """
        held = self._folder / "held"
        held.unlink(missing_ok=True)
        before = self._files()
        with (
            self._errors.open("w") as errors,
            subprocess.Popen(
                [*self._command, place],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            ) as self._process,
        ):
            try:
                self._wait(lambda: self._files() > before if place == "merging" else held.exists())
                yield
            finally:
                if self._process.poll() is None:
                    os.killpg(self._process.pid, signal.SIGKILL)

    def finish(self) -> list[list[tuple[object, ...]]]:
        """Have it apply what is there, and return the rows of its tables."""
        (self._folder / "finish").touch()
        printed, _ = self._process.communicate(timeout=TIMEOUT)
        assert self._process.returncode == 0, self._errors.read_text()
        return [[tuple(row) for row in json.loads(line)] for line in printed.splitlines()]

    def _wait(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + TIMEOUT
        while not holds():
            assert self._process.poll() is None, self._errors.read_text()
            assert time.monotonic() < end, self._errors.read_text()
            time.sleep(0.005)

    def _files(self) -> int:
        return len(list(self._folder.glob("statements/*.parquet")))


@pytest.mark.long
def test_nothing_lost_and_nothing_doubled(broker: Broker, tmp_path: Path) -> None:
    log = Log(broker, "changes")
    job = Job(broker, "changes", tmp_path)
    for place in ("merging", "between", "after"):
        log.send(PATCHES)
        log.flush()
        with job.run_to(place):
            pass
    with job.run_to("merging"):
        broker.stop()
        log.send(PATCHES)
        broker.start()
        log.flush()
        statements, history = job.finish()
    batches = tmp_path.joinpath("batches").read_text().split()
    # Each run that was killed left a batch, which the next one repeated.
    assert len(batches) >= len(set(batches)) + 3
    assert set(statements) == replay(log.patches)
    assert len(statements) == len(set(statements))
    assert len(history) == len(set(history)) == sum(map(len, log.patches))
