"""Measure `jelly-spark convert`, and what else converts the same files on the command line.

    .venv/bin/python -m benchmarks.guides.command_line
    .venv/bin/python -m benchmarks.guides.command_line --jena "$(ls lib/*.jar | paste -sd:)"

The rows go from text to Jelly and back, which must give the same rows. Each command is a process,
from its start to its end. Its memory is the largest sum of the resident memory of the process and
of those that it starts, such as Spark's JVM.

Jena's command `rdfpatch` needs a class path with jena-cmds and all that it needs. It reads a patch
into memory, and prints it.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.running.participants import ROOT, java
from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow

COMMAND: list[str | Path] = [sys.executable, "-m", "jelly_spark.cli", "convert"]

TEXT, QUADS = "in.rdfp", "in.nq"
"""The files that are converted."""

_TEXTS = ("rdfp", "nq")
# The seconds between two looks at the memory of the processes.
_INTERVAL = 0.05

_BY_RDFLIB = """
import sys, rdflib
data = rdflib.Dataset()
data.parse(sys.argv[1], format=sys.argv[3])
data.serialize(sys.argv[2], format=sys.argv[4], encoding="utf-8")
"""


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


def main() -> None:
    """Make the files, run the commands in turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of each file")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of all commands")
    parser.add_argument(
        "--jena", help="class path of Jena's commands; by default, they are left out"
    )
    parser.add_argument("--only", default="", help="only commands whose names contain this")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="jelly-spark-command-") as made:
        folder = Path(made)
        tasks = make_tasks(folder, options.jena)
        tasks = [task for task in tasks if options.only in task.name]
        for path, rows in ((folder / TEXT, patch_rows), (folder / QUADS, statements)):
            if any(path in task.command for task in tasks):
                codec.write(path, rows(options.rows))
        figures: dict[str, list[tuple[float, float, int]]] = {task.name: [] for task in tasks}
        for _ in range(options.rounds):
            for task in tasks:
                found = measure(task)
                print(f"| {task.name} | {cells(*found)} |", file=sys.stderr)
                figures[task.name].append(found)
        check(folder)
    print("| command | seconds | CPU seconds | memory in MB |\n| --- | ---: | ---: | ---: |")
    for name, each in figures.items():
        print(f"| {name} | {cells(*map(median, zip(*each, strict=True)))} |")


def cells(seconds: float, processor: float, memory: float) -> str:
    """Return the cells of a row of the table."""
    return f"{seconds:.1f} | {processor:.1f} | {memory / 1e6:,.0f}"


def make_tasks(folder: Path, jena: str | None) -> list[Task]:
    """Return the commands; `jena` is the class path of Jena's, or None to leave them out."""
    text, quads = folder / TEXT, folder / QUADS
    tasks = []
    options: list[str]
    for name, tag, options in (("", "plain", []), (" --spark", "spark", ["--spark"])):
        jelly, back = folder / f"{tag}.jellyp", folder / f"{tag}.rdfp"
        graph, lines = folder / f"{tag}.jelly", folder / f"{tag}.nq"
        tasks += [
            Task(f"`convert{name}`, RDF Patch to Jelly-Patch", [*COMMAND, text, jelly, *options]),
            Task(f"`convert{name}`, Jelly-Patch to RDF Patch", [*COMMAND, jelly, back, *options]),
            Task(f"`convert{name}`, N-Quads to Jelly-RDF", [*COMMAND, quads, graph, *options]),
            Task(f"`convert{name}`, Jelly-RDF to N-Quads", [*COMMAND, graph, lines, *options]),
        ]
    by_rdflib: list[str | Path] = [sys.executable, "-c", _BY_RDFLIB]
    jelly, lines = folder / "rdflib.jelly", folder / "rdflib.nq"
    tasks += [
        Task(
            "rdflib and pyjelly, N-Quads to Jelly-RDF",
            [*by_rdflib, quads, jelly, "nquads", "jelly"],
        ),
        Task(
            "rdflib and pyjelly, Jelly-RDF to N-Quads",
            [*by_rdflib, jelly, lines, "jelly", "nquads"],
        ),
    ]
    if jena is not None:
        command: list[str | Path] = [java(), "-cp", jena, "rdfpatch.rdfpatch", text]
        tasks.append(
            Task("Jena's `rdfpatch`, RDF Patch to RDF Patch", command, folder / "jena.rdfp")
        )
    return tasks


def patch_rows(count: int) -> Iterator[PatchRow]:
    """Yield rows of a log: patches of a thousand rows, with deletes and adds."""
    body = statements(count)
    for n in range(count):
        place = n % 1000
        if place == 0:
            yield PatchRow("H", name="id", value=f"<urn:uuid:{n // 1000}>")
        elif place == 1:
            yield PatchRow("TX")
        elif place == 998:
            yield PatchRow("TC")
        elif place == 999:
            yield PatchRow("END")
        else:
            yield PatchRow("D" if place < 500 else "A", *next(body)[:4])


def statements(count: int) -> Iterator[RdfRow]:
    """Yield statements about products in the graphs of shops."""
    schema = "https://schema.org/"
    for n in range(count):
        subject = f"<https://shop.example/product/{n // 4}>"
        graph = f"<https://shop.example/graph/{n // 1000}>"
        predicate, value = (
            ("name", f'"Product {n // 4}"@en'),
            ("price", f'"{n % 997}.50"^^<http://www.w3.org/2001/XMLSchema#decimal>'),
            ("category", f"<https://shop.example/category/{n % 211}>"),
            ("description", f'"A longer text about product {n // 4}, with some more words"'),
        )[n % 4]
        yield RdfRow(subject, f"<{schema}{predicate}>", value, graph)


def measure(task: Task) -> tuple[float, float, int]:
    """Run a command; return its seconds, those of the processor, and its memory in bytes.

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
    return seconds, usage.ru_utime + usage.ru_stime, memory


def resident(process: int) -> int:
    """Return the resident memory of a process and its descendants, in bytes; 0 if it has ended."""
    folder = Path(f"/proc/{process}")
    try:
        pages = int((folder / "statm").read_text().split()[1])
        threads = [path / "children" for path in (folder / "task").iterdir()]
        children = " ".join(path.read_text() for path in threads).split()
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(int(child)) for child in children)


def check(folder: Path) -> None:
    """Check that the rows came back, and that both ways wrote the same bytes."""
    pairs = [(f"in.{kind}", f"{tag}.{kind}") for tag in ("plain", "spark") for kind in _TEXTS]
    pairs += [(f"plain.{kind}", f"spark.{kind}") for kind in ("jellyp", "jelly")]
    for one, other in pairs:
        # `--only` leaves some out.
        if (folder / other).exists():
            assert filecmp.cmp(folder / one, folder / other, shallow=False), other


if __name__ == "__main__":
    main()
