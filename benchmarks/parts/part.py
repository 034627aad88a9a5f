"""What a part of `make bench` is."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.results import Results


@dataclass(frozen=True)
class Run:
    """What a part gets when it runs.

    Attributes:
        results: the results, to which the part adds its figures.
        options: the command-line options.
        folder: an empty folder for the data.
        step: is called with the title of each step.
    """

    results: Results
    options: Namespace
    folder: Path
    step: Callable[[str], None]

    @property
    def rounds(self) -> tuple[int, int]:
        """The rounds before those that count, and these, where a round is long.

        Such a round takes long enough for the JVM to compile in one.
        """
        return min(self.options.warm_ups, 1), self.options.rounds


@dataclass(frozen=True)
class Part:
    """A part of the benchmark.

    Attributes:
        title: its heading in the results.
        table: the key of its table in the results. If it is missing, the part did not run.
        measure: runs the measures.
        report: returns the lines of `results.md`.
    """

    title: str
    table: str
    measure: Callable[[Run], None]
    report: Callable[[Results], Iterable[str]]
