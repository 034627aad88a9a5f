"""Appends, housekeeping and reading at the same time, by processes that are killed at random."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from tests.log.jobs import append, keep_house, undo, write_with_spark
from tests.log.jobs.undo import GONE
from tests.log.patches import id_of, statement
from tests.shared import ROOT

ALL_WRITERS = (*["append"] * 4, "undo", *["insert"] * 2, "stream")
"""Those that race where writers on Spark take part."""

ON_SPARK = ("insert", "stream")
NAMING = ("append", "undo", "insert")
"""The work that prints the names of the statements that it added, as ids of patches."""

HOUSEKEEPING = ("optimize", "expire", "vacuum", "compact", "read", "read")

PAUSE = 60.0
"""Seconds between two patches of a writer in Python, at most, beside those on Spark. A statement of
SQL takes longer to make a patch, and does so again whenever another program was first."""

KEPT = 90.0
"""Seconds for which patches stay there. If they expired before a stream that was killed is back, it
would stop with an error."""

RETENTION = 30.0
"""Seconds for which files stay there that are not needed any more. If they were removed while a
statement of SQL reads them, it would be an error."""


LONGER = 300.0
"""Seconds for which a race may go on."""


class OnSpark(NamedTuple):
    """Where writers on Spark find the log, and what they need.

    Attributes:
        catalog: the URL of the folder that the log is in, as Spark knows it.
        folder: a local folder for the source of the stream and its checkpoint.
        settings: other settings of the sessions.
    """

    catalog: str
    folder: Path
    settings: Mapping[str, str]

    @property
    def source(self) -> Path:
        """The folder of the source of the stream."""
        found = self.folder / "source"
        found.mkdir(exist_ok=True, parents=True)
        return found

    def command(self, log: str, work: str, name: str) -> list[str]:
        """The command of a writer of a log in the catalog."""
        settings = {
            "spark.ui.enabled": "false",
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.catalog.race": "org.jellyspark.LogCatalog",
            "spark.sql.catalog.race.path": self.catalog,
            **self.settings,
        }
        of_stream = [str(self.source), str(self.folder / "checkpoint")]
        arguments = [name] if work == "insert" else of_stream
        found = [
            write_with_spark.__file__,
            json.dumps(settings),
            f"race.{log.rpartition('/')[2]}",
            work,
        ]
        return [*found, *arguments]

    def put(self, name: str) -> None:
        """Add a file with a row to the source of the stream."""
        row = dict(zip(("subject", "predicate", "object"), statement(name), strict=False))
        new = self.folder / "new"
        new.write_text(json.dumps({"op": "A", **row}))
        new.rename(self.source / f"{name}.json")


class Racer:
    """A process that does one kind of work, and is started again when it was killed.

    Attributes:
        work: the kind.
        printed: the lines that all its processes printed completely.
    """

    def __init__(
        self,
        log: str,
        work: str,
        number: int,
        environment: Mapping[str, str],
        on_spark: OnSpark | None = None,
    ) -> None:
        self.work = work
        self.printed: list[str] = []
        self._log, self._number, self._starts = log, number, 0
        self._on_spark = on_spark
        needed = os.environ if work in ON_SPARK else {"PATH": ""}
        self._environment = {**needed, "PYTHONPATH": str(ROOT), **environment}
        self.start()

    def start(self) -> None:
        """Start the process."""
        command = self._command(f"{self._number}-{self._starts}")
        self._starts += 1
        # In a group of its own, with its JVM.
        self._process = subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment,
            start_new_session=True,
        )

    def _command(self, name: str) -> list[str]:
        """The command of a process whose statements have names that begin with a name."""
        with_spark = self._on_spark is not None
        pause = [str(PAUSE)] if with_spark else []
        if self._on_spark is not None and self.work in ON_SPARK:
            return self._on_spark.command(self._log, self.work, name)
        if self.work == "append":
            return [append.__file__, self._log, name, "0", *pause]
        if self.work == "undo":
            return [undo.__file__, self._log, *pause]
        times = ["8", str(KEPT), str(RETENTION)] if with_spark else []
        return [keep_house.__file__, self._log, self.work, *times]

    def is_ready(self) -> bool:
        """Whether it may be killed: not while Spark starts, before it has printed a line."""
        assert self._process.stdout is not None
        return (
            self.work not in ON_SPARK or select.select([self._process.stdout], [], [], 0)[0] != []
        )

    def stop(self) -> str | None:
        """Kill the process. Return why it had ended by itself, if it had."""
        ended = self._process.poll()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        # This waits for the JVM, too.
        printed, errors = self._process.communicate()
        # A line that is cut off is no promise.
        self.printed += [line.strip() for line in printed.splitlines(True) if line.endswith("\n")]
        return None if ended is None else f"{self.work}: {errors}"


def race(
    log: str,
    seconds: float,
    environment: Mapping[str, str],
    seed: int = 27,
    on_spark: OnSpark | None = None,
) -> Counter[str]:
    """Let all race for some time, check the log, and return how often each work was finished.

    Args:
        log: its path or URL.
        seconds: the time, at least: where there are writers on Spark, which take long to start on a
            small machine, it goes on until one of each kind was killed.
        environment: variables of the processes.
        seed: what is drawn with.
        on_spark: where there are writers on Spark, what they need.
    """
    draw = random.Random(seed)
    works = [*(["append"] * 8 if on_spark is None else ALL_WRITERS), *HOUSEKEEPING]
    racers = [Racer(log, work, number, environment, on_spark) for number, work in enumerate(works)]
    # Those on Spark are not killed while they start, so they are chosen more often.
    often = [*racers, *(racer for racer in racers if racer.work in ON_SPARK)]
    between = (0.2, 1.5) if on_spark is None else (0.5, 4.0)
    streamed: list[str] = []
    failures: list[str | None] = []
    killed: set[str] = set()
    until = time.monotonic() + seconds
    last = until + LONGER

    def goes_on() -> bool:
        now = time.monotonic()
        return now < until or (now < last and not killed.issuperset(works))

    while goes_on() and not any(failures):
        time.sleep(draw.uniform(*between))
        racer = draw.choice(often)
        if racer.is_ready():
            failures.append(racer.stop())
            racer.start()
            killed.add(racer.work)
        if on_spark is not None and draw.random() < 0.2:
            streamed.append(f"streamed-{len(streamed)}")
            on_spark.put(streamed[-1])
    failures += [racer.stop() for racer in racers]
    assert not any(failures), "\n".join(filter(None, failures))
    if on_spark is not None:
        command = [sys.executable, *on_spark.command(log, "rest", "")]
        env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
        subprocess.run(command, check=True, env=env, timeout=600)
    written = [id for racer in racers if racer.work in NAMING for id in racer.printed]
    check(Log(log), written, streamed)
    return Counter(racer.work for racer in racers for _ in racer.printed)


def check(log: Log[PatchRow], written: list[str], streamed: list[str]) -> None:
    """Check that a log is one chain, and that nothing is lost, and nothing was added twice.

    Args:
        log: the log.
        written: the names of statements that writers added, as ids of patches. There can be more,
            of writers that were killed before they could say so.
        streamed: the names of all statements of the source of the stream.
    """
    versions = log.versions()
    assert [version.log_seq for version in versions] == [
        *range(versions[0].log_seq, versions[-1].log_seq + 1)
    ]
    assert all(b.prev == a.id for a, b in pairwise(versions))
    assert len({version.id for version in versions}) == len(versions)
    state = {statement.object.strip('"') for statement in log.state_at()}
    gone = {name.removeprefix(GONE) for name in state if name.startswith(GONE)}
    # What was deleted and is there again was added twice.
    assert not state & gone
    assert {*map(id_of, state | gone)} >= {*written}
    assert {name for name in state | gone if name.startswith("streamed")} == {*streamed}
    # Each patch adds one statement, and those of Python have its name.
    assert len(state) + len(gone) == versions[-1].log_seq + 1
    added = [(row.patch, id_of(str(row.object).strip('"'))) for row in log.read() if row.op == "A"]
    assert [patch for patch, _ in added] == [version.log_seq for version in versions]
    ids = [version.id for version in versions]
    assert [id for id in ids if id.startswith("<urn:patch:")] == [
        name for (_, name), id in zip(added, ids, strict=True) if id == name
    ]
    assert {finding.rule for finding in log.verify()} <= {"unreferenced-file"}
