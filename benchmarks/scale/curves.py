"""Curves: what some work took at several sizes, and the straight line through them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations
from math import exp, log
from pathlib import Path
from statistics import linear_regression

STRAIGHT = 0.15
"""A curve is straight if no point is more than this share above its line, or as far below."""

_FEW = 0.1
"""From this share on, something is worth a mention as the reason of a bend."""


@dataclass(frozen=True)
class Point:
    """What some work took at one size. Times are seconds, and sizes are bytes.

    Attributes:
        part: the part of the benchmark.
        work: the name of the work, such as `scan`.
        x: the size.
        seconds: the elapsed time, with planning.
        parallel: the run time of all Spark tasks in stages of several tasks.
        single: the run time of the tasks in stages of one task, which more cores do not shorten.
        longest: the run time of the longest task.
        collections: the time of garbage collections.
        heap: the most that the JVM's heap held after a garbage collection.
        read: the bytes that tasks read from files.
        shuffled: the bytes that tasks wrote for shuffles.
        spilled: the bytes that tasks wrote to disk because memory was short.
        from_disk: the bytes of files and shuffles that were not in the system's page cache.
        found: the number that the work returned, such as that of rows, or of bytes written.
    """

    part: str
    work: str
    x: int
    seconds: float
    parallel: float
    single: float
    longest: float
    collections: float
    heap: int
    read: int
    shuffled: int
    spilled: int
    from_disk: int
    found: int


@dataclass(frozen=True)
class Line:
    """A straight line `fixed + each * x`.

    Attributes:
        fixed: the value at 0.
        each: the slope.
        deviation: by how much the point furthest from the line is greater, as a share of the line;
            or less, as a share of the point.
    """

    fixed: float
    each: float
    deviation: float


@dataclass(frozen=True)
class Curve:
    """The points of one kind of work, by size."""

    points: list[Point]

    def values(self, what: str) -> list[float]:
        """Return an attribute of each point."""
        return [getattr(point, what) for point in self.points]

    def exponent(self) -> float:
        """Return the slope of the straight line through the logarithms of sizes and times.

        It is 1 where times grow as the sizes do, and 0 where they stay the same.
        """
        xs, ys = ([log(value) for value in self.values(what)] for what in ("x", "seconds"))
        return linear_regression(xs, ys).slope if len(xs) > 1 else 0.0

    def line(self) -> Line:
        """Return the line of the times with the least sum of relative distances of the points.

        Points that are far away hardly move it, unlike the line of least squares. Such a line goes
        through two of the points. Or it goes through one, and is level or ends in the origin,
        because more work does not take less time, and no work does not take less than none.
        """
        points = [(point.x, point.seconds) for point in self.points]
        through_two = (
            (y - (z - y) / (w - x) * x, (z - y) / (w - x))
            for (x, y), (w, z) in combinations(points, 2)
        )
        through_one = ((fixed, each) for x, y in points for fixed, each in ((0.0, y / x), (y, 0.0)))
        lines = [line for line in (*through_one, *through_two) if min(line) >= 0]

        def distances(line: tuple[float, float]) -> list[float]:
            # Of logarithms, so that twice as much is as far away as half.
            return [abs(log(y / (line[0] + line[1] * x))) for x, y in points]

        best = min(lines, key=lambda line: sum(distances(line)))
        return Line(*best, exp(max(distances(best))) - 1)

    def reason(self) -> str:
        """Return `straight`, or what the measurements show where the curve leaves its line."""
        line = self.line()
        if line.deviation <= STRAIGHT:
            return "straight"
        worst = max(self.points, key=lambda p: abs((line.fixed + line.each * p.x) / p.seconds - 1))
        is_slow = worst.seconds > line.fixed + line.each * worst.x
        seen = [
            f"{worst.spilled / 1e6:,.0f} MB spilled"
            if worst.spilled > _FEW * worst.shuffled
            else "",
            f"{worst.from_disk / 1e6:,.0f} MB not in the page cache"
            if worst.from_disk > _FEW * worst.read
            else "",
            f"{worst.collections / worst.seconds:.0%} of the time for garbage collections"
            if worst.collections > _FEW * worst.seconds
            else "",
        ]
        # These make work slower, so they are no reason why a point is below the line.
        reasons = [text for text in seen if text] if is_slow else []
        return f"{'slower' if is_slow else 'faster'} at {worst.x:,}" + (
            f": {', '.join(reasons)}" if reasons else ""
        )


@dataclass
class ScaleResults:
    """The results of a run.

    Attributes:
        scale: the factor of the sizes.
        machine: the properties of the machine, by name.
        versions: the versions of the software, by name.
        points: the points, in the order of the run.
        seconds: how long each part took, with its preparation.
        failed: why parts failed, by name. The points before that are in `points`.
    """

    scale: float
    machine: Mapping[str, str]
    versions: Mapping[str, str]
    points: list[Point] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def curves(self, part: str) -> dict[str, Curve]:
        """Return the curves of a part, by the name of the work."""
        works = dict.fromkeys(point.work for point in self.points if point.part == part)
        return {
            work: Curve([p for p in self.points if (p.part, p.work) == (part, work)])
            for work in works
        }

    def write(self, folder: Path) -> None:
        """Write `scale.json`, with a line for each point."""
        content = asdict(self)
        points = ",\n".join(f"  {json.dumps(point)}" for point in content.pop("points"))
        rest = json.dumps(content, indent=1)[1:]
        text = f'{{\n "points": [\n{points}\n ],{rest}\n'
        (folder / "scale.json").write_text(text, encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> ScaleResults:
        """Return the results in `scale.json`."""
        content = json.loads((folder / "scale.json").read_text("utf-8"))
        return cls(**{**content, "points": [Point(**point) for point in content["points"]]})
