"""Measure `jelly-spark convert`, and what else converts the same files on the command line.

The rows go from text to Jelly and back, which must give the same rows. Each command is a process,
from its start to its end. Its memory is the largest sum of the resident memory of the process and
of those that it starts, such as Spark's JVM.

Jena's command `rdfpatch` needs a class path with jena-cmds and all that it needs. It reads a patch
into memory, and prints it.
"""

from __future__ import annotations

import filecmp
import os
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.guides.guide import Guide, Table
from benchmarks.guides.made_rows import patch_rows, statements
from benchmarks.running.participants import ROOT, java
from benchmarks.running.processor_times import resident
from benchmarks.running.rounds import in_turns
from jelly_spark import codec

TEXT, QUADS = "in.rdfp", "in.nq"
"""The files that are converted."""

_TEXTS = ("rdfp", "nq")
# The seconds between two looks at the memory of the processes.
_INTERVAL = 0.05

_BY_RDFLIB = """
import sys, rdflib
formats = [{"nq": "nquads"}.get(path.rpartition(".")[2], "jelly") for path in sys.argv[1:]]
data = rdflib.Dataset()
data.parse(sys.argv[1], format=formats[0])
data.serialize(sys.argv[2], format=formats[1], encoding="utf-8")
"""

CONVERSIONS = {
    "RDF Patch to Jelly-Patch": (TEXT, "{}.jellyp"),
    "Jelly-Patch to RDF Patch": ("{}.jellyp", "{}.rdfp"),
    "N-Quads to Jelly-RDF": (QUADS, "{}.jelly"),
    "Jelly-RDF to N-Quads": ("{}.jelly", "{}.nq"),
}
"""The files that are read and written, with the name of who does it in place of the braces."""


@dataclass(frozen=True)
class Task:
    """A command to measure.

    Attributes:
        name: what the table says.
        command: the arguments of the process.
        into: the file for its output; None if it writes a file itself.
    """

    name: str
    command: Sequence[str | Path]
    into: Path | None = None


def run(options: Namespace) -> Iterator[Table]:
    """Make the files, and run the commands in turns."""
    with TemporaryDirectory(prefix="jelly-spark-command-") as made:
        folder = Path(made)
        tasks = make_tasks(folder, options.jena)
        tasks = [task for task in tasks if (options.only or "") in task.name]
        for path, rows in ((folder / TEXT, patch_rows), (folder / QUADS, statements)):
            if any(path in task.command for task in tasks):
                codec.write(path, rows(options.rows))
        works = {task.name: partial(measure, task) for task in tasks}
        found = in_turns(works, 0, options.rounds, {})
        check(folder)
    cells = {}
    for name, each in found.items():
        seconds, processor, memory = map(median, zip(*each, strict=True))
        megabytes = f"{memory / 1e6:,.0f}"
        cells[name] = {"seconds": seconds, "CPU seconds": processor, "memory in MB": megabytes}
    yield Table("command", cells)


def make_tasks(folder: Path, jena: str | None) -> list[Task]:
    """Return the commands; `jena` is the class path of Jena's, or None to leave them out."""
    python: list[str | Path] = [sys.executable]
    convert = [*python, "-m", "jelly_spark.cli", "convert"]
    tasks = []
    for who, title, command, options in (
        ("plain", "`convert`", convert, []),
        ("spark", "`convert --spark`", convert, ["--spark"]),
        ("rdflib", "rdflib and pyjelly", [*python, "-c", _BY_RDFLIB], []),
    ):
        for what, names in CONVERSIONS.items():
            if who != "rdflib" or "Patch" not in what:
                files = [folder / name.format(who) for name in names]
                tasks.append(Task(f"{title}, {what}", [*command, *files, *options]))
    if jena is not None:
        jena_command: list[str | Path] = [java(), "-cp", jena, "rdfpatch.rdfpatch", folder / TEXT]
        written = folder / "jena.rdfp"
        tasks.append(Task("Jena's `rdfpatch`, RDF Patch to RDF Patch", jena_command, written))
    return tasks


def measure(task: Task) -> tuple[tuple[float, float, int], None]:
    """Run a command; return its seconds, those of the processor, its memory in bytes; and None.

    Raises:
        CalledProcessError: it fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    with open(task.into or os.devnull, "wb") as into:
        start = time.perf_counter()
        process = subprocess.Popen([*map(str, task.command)], stdout=into, env=environment)
        memory = 0
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            memory = max(memory, resident(process.pid))
            time.sleep(_INTERVAL)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, task.command)
    found = seconds, usage.ru_utime + usage.ru_stime, memory
    print(task.name, *found, file=sys.stderr)
    return found, None


def check(folder: Path) -> None:
    """Check that the rows came back, and that both ways wrote the same bytes."""
    pairs = [(f"in.{kind}", f"{tag}.{kind}") for tag in ("plain", "spark") for kind in _TEXTS]
    pairs += [(f"plain.{kind}", f"spark.{kind}") for kind in ("jellyp", "jelly")]
    for one, other in pairs:
        # `--only` leaves some out.
        if (folder / other).exists():
            assert filecmp.cmp(folder / one, folder / other, shallow=False), other


GUIDE = Guide(
    run,
    {"rows": 1_000_000, "rounds": 2},
    {
        "jena": "class path of Jena's commands; by default, they are left out",
        "only": "only commands whose names contain this",
    },
)
