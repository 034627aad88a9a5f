"""Run the benchmark: generate the data, run the measures, and write the results.

`python -m benchmarks --help` lists the options.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from benchmarks.data.bear import SHAPES
from benchmarks.data.messages import ROWS
from benchmarks.parts import PARTS
from benchmarks.parts.formats import Formats
from benchmarks.parts.part import Run
from benchmarks.report import write_report
from benchmarks.results import Results
from benchmarks.running import who
from benchmarks.running.machine import machine, versions
from benchmarks.running.participants import Participants

SHOWN = (
    *("rows", "python_rows", "messages", "states", "big", "quads", "blank_states", "versions"),
    *("statements", "table", "warm_ups", "rounds", "algebra_rounds", "heap"),
)
"""The options that are in the results."""


def main() -> None:
    """Run the benchmark."""
    options = _options()
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    results = Benchmark(options).run()
    results.write(out)
    write_report(results, out)
    for name, found in results.ratios.items():
        goal = f"  (goal {found.goal:g})" if found.goal else ""
        print(f"{name:44} {found}{goal}")
    print(f"wrote results.json, results.md and speed.svg in {out}")


class Benchmark:
    """One run of the benchmark.

    Args:
        options: the command-line options.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._start = monotonic()
        self._start_of_step: float | None = None
        shown = {name: getattr(options, name) for name in SHOWN}
        self._results = Results(shown, machine(), versions())

    def run(self) -> Results:
        """Run all parts, and return the results."""
        with self._part() as run, Participants(self._options.heap, run.folder) as participants:
            Formats(run, participants).run()
        for part in PARTS:
            self._step(part.title)
            with self._part() as run:
                part.measure(run)
        self._step("done")
        return self._results

    @contextmanager
    def _part(self) -> Iterator[Run]:
        prefix = "jelly-spark-bench-"
        with TemporaryDirectory(prefix=prefix, dir=self._options.work) as folder:
            yield Run(self._results, self._options, Path(folder).resolve(), self._step)

    def _step(self, title: str) -> None:
        now = monotonic()
        if self._start_of_step is not None:
            print(f"{'':11}it took {now - self._start_of_step:.0f} s")
        self._start_of_step = now
        print(f"{(now - self._start) / 60:5.1f} min  {title}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("--rows", type=int, default=4_000_000, help="statements on the JVM")
    add("--python-rows", type=int, default=100_000, help="statements in Python")
    add("--messages", type=int, default=400_000, help="messages of ten statements")
    add("--states", type=int, default=2_000_000, help="statements of a state for patch algebra")
    add("--algebra-rounds", type=int, default=3, help="rounds of patch algebra")
    add("--big", type=int, default=1 << 29, help="bytes of the big file, about")
    add("--quads", type=int, default=300_000, help="quads that are shuffled")
    add("--versions", type=int, default=20, help="versions of an archive, at least 3")
    add("--statements", type=int, default=500_000, help="statements of a version")
    add(
        "--archives",
        nargs="+",
        default=who.ARCHIVES,
        choices=who.ARCHIVES,
        help="which archives",
    )
    add("--table", type=int, default=1_000_000, help="statements of a table that SQL writes")
    add("--commits", type=int, default=100, help="small commits whose changes are read")
    add("--bear", nargs="+", default=["hourly"], choices=[*SHAPES], help="which of BEAR's archives")
    add("--scale", type=float, default=1, help="factor for the sizes of BEAR's archives")
    add("--logs", type=int, nargs="+", default=[100, 1_000, 20_000], help="patches of logs")
    add("--log-megabytes", type=int, default=128, help="size of the log to look for a subject in")
    add("--blank-states", type=int, default=500_000, help="statements of a state with blank nodes")
    add("--rounds", type=int, default=4, help="rounds that count")
    add("--warm-ups", type=int, default=2, help="rounds before them")
    add("--heap", default="6g", help="heap of each JVM")
    add("--out", type=Path, default=Path(__file__).parent, help="folder of the results")
    add("--work", type=Path, help="folder for the data, which is removed: 5 GB by default")
    options = parser.parse_args()
    if options.messages * ROWS > options.rows:
        parser.error(f"{options.messages:,} messages need {options.messages * ROWS:,} rows")
    if options.versions < 3:
        parser.error("--versions must be at least 3")
    return options


if __name__ == "__main__":
    main()
