"""Appends, housekeeping and reading at the same time, by processes that are killed at random."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from jelly_spark.log import Log
from tests.log.jobs import append, keep_house
from tests.shared import ROOT

APPENDERS = 8
WORK = ("optimize", "expire", "vacuum", "compact", "read", "read")


class Racer:
    """A process that does one kind of work, and is started again when it was killed.

    Attributes:
        printed: the lines that all its processes printed completely.
    """

    def __init__(self, log: str, work: str, number: int, environment: Mapping[str, str]) -> None:
        self.work = work
        self.printed: list[str] = []
        self._log, self._number, self._starts = log, number, 0
        self._environment = {"PYTHONPATH": str(ROOT), "PATH": "", **environment}
        self.start()

    def start(self) -> None:
        """Start the process."""
        arguments = [keep_house.__file__, self._log, self.work]
        if self.work == "append":
            arguments = [append.__file__, self._log, f"{self._number}-{self._starts}", "0"]
        self._starts += 1
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment,
        )

    def kill(self) -> None:
        """Kill the process, which must not have ended by itself."""
        ended = self._process.poll()
        self._process.kill()
        printed, errors = self._process.communicate()
        assert ended is None, f"{self.work}: {errors}"
        # A line that is cut off is no promise.
        self.printed += [line.strip() for line in printed.splitlines(True) if line.endswith("\n")]


def race(log: str, seconds: float, environment: Mapping[str, str], seed: int = 27) -> Counter[str]:
    """Let all race for some time, check the log, and return how often each work was finished."""
    draw = random.Random(seed)
    works = ["append"] * APPENDERS + [*WORK]
    racers = [Racer(log, work, number, environment) for number, work in enumerate(works)]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(draw.uniform(0.2, 1.5))
        racer = draw.choice(racers)
        racer.kill()
        racer.start()
    for racer in racers:
        racer.kill()
    appended = {id for racer in racers if racer.work == "append" for id in racer.printed}
    found = Log(log)
    versions = found.versions()
    state = {statement.object for statement in found.state_at()}
    names = {f'"{id.removeprefix("<urn:patch:").removesuffix(">")}"' for id in appended}
    # A patch can be there whose writer was killed before it could say so.
    assert names <= state and len(state) == versions[-1].log_seq + 1
    assert [version.log_seq for version in versions] == [
        *range(versions[0].log_seq, versions[-1].log_seq + 1)
    ]
    assert all(b.prev == a.id for a, b in pairwise(versions))
    assert [row.object for row in found.read() if row.op == "A"] == [
        f'"{version.id.removeprefix("<urn:patch:").removesuffix(">")}"' for version in versions
    ]
    assert {finding.rule for finding in found.verify()} <= {"unreferenced-file"}
    return Counter(racer.work for racer in racers for _ in racer.printed)
