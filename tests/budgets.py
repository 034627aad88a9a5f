"""What the tests may take: the Spark jobs and the JVMs of a module, by the table of the docs.

Unlike seconds, both are the same on every machine, and beside any other work.
"""

from __future__ import annotations

import atexit
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tests.shared import ROOT

PAGE = ROOT / "docs" / "contributing.md"
LIST = ROOT / ".build" / "work.tsv"
SESSION_JVMS = 2
"""The JVMs that start for a session: one makes the command of the other."""

_ROW = re.compile(r"\| `(tests/[^`]+)` \| (\d+|-) \| (\d+|-) \| (\d+|-) \| (.+) \|")


class Work(NamedTuple):
    """So much was done, or may be."""

    jobs: int
    jvms: int


def budgets() -> dict[str, Work | None]:
    """Return the budgets by the path of a module or folder; None where there is no limit."""
    rows = (_ROW.fullmatch(line) for line in PAGE.read_text("utf-8").splitlines())
    return {
        row[1]: None if row[2] == "-" else Work(int(row[2]), int(row[3])) for row in rows if row
    }


def budget_of(module: str, table: dict[str, Work | None]) -> Work | None:
    """Return the budget of a module: its own, or that of each module of its folder."""
    path = Path(module)
    for place in (path, *path.parents):
        if place.as_posix() in table:
            return table[place.as_posix()]
    return Work(0, 0)


def record(module: str, work: Work) -> None:
    """Add a line to the list of what modules took, by which budgets are set."""
    LIST.parent.mkdir(exist_ok=True)
    with LIST.open("a", encoding="utf-8") as lines:
        lines.write(f"{module}\t{work.jobs}\t{work.jvms}\n")


def complaint(module: str, work: Work, budget: Work | None) -> str | None:
    """Return what is wrong if a module took more than its budget."""
    if budget is None or (work.jobs <= budget.jobs and work.jvms <= budget.jvms):
        return None
    return (
        f"{module} ran {work.jobs} Spark jobs and started {work.jvms} JVMs; its budget in "
        f"{PAGE.relative_to(ROOT)} is {budget.jobs} and {budget.jvms}: make it smaller, or "
        "mark tests as long"
    )


class Counter:
    """Counts the jobs of this process's session, and the JVMs that start in any process of it.

    Args:
        java_options: the options of all JVMs that the tests start.
    """

    def __init__(self, java_options: str) -> None:
        folder = tempfile.mkdtemp(prefix="jvms-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self._started = Path(folder)
        options = re.sub(r" -Xlog:init=off:\S+", "", java_options)
        self.java_options = f"{options} -Xlog:init=off:file={folder}/%p:none:filecount=0"
        """The options with one more, by which each JVM leaves a file when it starts."""

    def work(self) -> Work:
        """Return what was done so far, without the start of this process's session."""
        spark: Any = sys.modules.get("pyspark")
        context = spark and spark.SparkContext._active_spark_context
        own = SESSION_JVMS if spark and spark.SparkContext._gateway else 0
        jobs = context._jsc.sc().dagScheduler().numTotalJobs() if context else 0
        return Work(jobs, len([*self._started.iterdir()]) - own)
