"""The results of a run of the benchmark."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from benchmarks.measures import RATIOS, Ratio
from benchmarks.running.intervals import interval

Table: TypeAlias = dict[str, dict[str, Any]]
"""Figures by row and column, which `tables.table` writes."""


@dataclass(frozen=True)
class Speed:
    """What was found for a measure.

    Attributes:
        rows: the statements that it handles in a round.
        seconds: the seconds of each round.
    """

    rows: int
    seconds: list[float]

    @property
    def per_second(self) -> float:
        """The rows per second in the median round."""
        return self.rows / median(self.seconds)


@dataclass(frozen=True)
class Compared:
    """A ratio that was found.

    Attributes:
        ratio: how many times as good this project is.
        goal: the smallest ratio that reaches the goal, if there is one.
        interval: the bounds of the 95 % confidence interval. Ratios of sizes have none.
    """

    ratio: float
    goal: float | None = None
    interval: list[float] | None = None

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.ratio:.2f}"
        low, high = self.interval
        return f"{self.ratio:.2f} ({low:.2f} to {high:.2f})"


@dataclass
class Results:
    """The figures of a run.

    Attributes:
        options: the sizes and numbers of rounds of the run.
        machine: the properties of the machine.
        versions: the versions of the software.
        measures: the measures, by name.
        ratios: the ratios, by name.
        tables: the figures of each part, by the name of the table.
        errors: the messages of failures that do not end the run, by what failed.
    """

    options: dict[str, Any]
    machine: dict[str, str]
    versions: dict[str, str]
    measures: dict[str, Speed] = field(default_factory=dict)
    ratios: dict[str, Compared] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def add(self, rows: int, seconds: dict[str, list[float]]) -> None:
        """Add the seconds of measures, each of which handled this many rows."""
        self.measures |= {name: Speed(rows, taken) for name, taken in seconds.items()}

    def compare_measures(self) -> None:
        """Add all ratios of measures that have been added."""
        for ratio in RATIOS:
            if {ratio.ours, ratio.peer} <= self.measures.keys():
                self._compare_measures(ratio)

    def _compare_measures(self, ratio: Ratio) -> None:
        ours, peer = self.measures[ratio.ours], self.measures[ratio.peer]
        # Both need not be of one group.
        rounds = min(len(ours.seconds), len(peer.seconds))
        seconds = ours.seconds[:rounds], peer.seconds[:rounds]
        self.compare(ratio.name, *seconds, ratio.goal, factor=ours.rows / peer.rows)

    def compare(
        self,
        name: str,
        ours: Sequence[float],
        peer: Sequence[float],
        goal: float | None = None,
        *,
        center: Callable[[Sequence[float]], float] = median,
        factor: float = 1,
    ) -> None:
        """Add a ratio of times.

        Args:
            name: the name of the ratio.
            ours: our seconds in each round.
            peer: the peer's seconds in the same rounds.
            goal: the smallest ratio that reaches the goal.
            center: the function whose quotient is the ratio.
            factor: how many times as much work was done in our seconds.
        """
        found = interval([[*zip(ours, peer, strict=True)]], center)
        ratio, low, high = (
            round(value * factor, 3) for value in (found.ratio, found.low, found.high)
        )
        self.ratios[name] = Compared(ratio, goal, [low, high])

    def compare_figures(self, name: str, ratio: float, goal: float | None = None) -> None:
        """Add a ratio without a confidence interval."""
        self.ratios[name] = Compared(round(ratio, 3), goal)

    def write(self, folder: Path) -> None:
        """Write `results.json`."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"
        (folder / "results.json").write_text(text, encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Results:
        """Return the results in `results.json`."""
        found = json.loads((folder / "results.json").read_text("utf-8"))
        records = {"measures": Speed, "ratios": Compared}
        for name, record in records.items():
            found[name] = {each: record(**values) for each, values in found[name].items()}
        return cls(**found)
