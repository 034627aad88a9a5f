"""Curves of costs against sizes: their lines, and the run on little data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.scale.curves import Curve, Point, ScaleResults
from benchmarks.scale.parts import FILES, PARTS, SHOP
from benchmarks.scale.processes import PartError, points_of
from benchmarks.scale.report import rates_of, write_report
from tests import jvm_options
from tests.benchmarks.test_run import run

POINT = Point(
    part="rows",
    work="scan",
    x=1,
    seconds=1,
    parallel=1,
    single=1,
    longest=1,
    collections=0,
    heap=1 << 20,
    read=1000,
    shuffled=0,
    spilled=0,
    from_disk=0,
    found=1,
)


def curve(*seconds: float, last: Point = POINT) -> Curve:
    points = [replace(POINT, x=10**place, seconds=s) for place, s in enumerate(seconds)]
    points[-1] = replace(last, x=points[-1].x, seconds=points[-1].seconds)
    return Curve(points)


def test_straight_lines() -> None:
    found = curve(2, 20, 200)
    assert found.exponent() == pytest.approx(1)
    line = found.line()
    assert (line.fixed, line.each) == pytest.approx((0, 2))
    assert found.reason() == "straight"
    # With a fixed cost, the exponent is less than 1, but the line is straight.
    found = curve(5, 14, 104, 1004)
    assert found.exponent() < 0.9
    line = found.line()
    assert (line.fixed, line.each, line.deviation) == pytest.approx((4, 1, 0))
    assert curve(3, 3, 3).exponent() == pytest.approx(0)


def test_no_line_begins_below_zero_or_falls() -> None:
    line = curve(1, 10, 200).line()
    assert line.fixed == 0
    assert line.deviation == pytest.approx(1)
    assert (curve(20, 2, 2).line().fixed, curve(20, 2, 2).line().each) == (2, 0)


def test_reasons() -> None:
    spilled = replace(POINT, shuffled=5_000_000, spilled=3_000_000, collections=50)
    found = curve(1, 10, 300, last=spilled)
    reason = "slower at 100: 3 MB spilled, 17% of the time for garbage collections"
    assert found.reason() == reason
    # What makes work slower is no reason why it is faster.
    assert curve(1, 10, 100, 20, last=spilled).reason() == "faster at 1,000"
    # No more than what was measured is said.
    assert curve(10, 1, 1).reason() == "slower at 1"


def test_a_part_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The benchmark chooses the garbage collector, and a JVM refuses two.
    monkeypatch.setenv("JDK_JAVA_OPTIONS", jvm_options.QUICK)
    points = [*points_of("splits", tmp_path, 0.0001)]
    assert [point.x for point in points] == [1, 2, 4, 8, 16, 32, 64]
    assert len({point.found for point in points}) == 1
    assert all(point.seconds > 0 and point.heap > 0 and point.read > 0 for point in points)
    assert len([*(tmp_path / SHOP).glob("part-*")]) == FILES


def test_a_part_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "--no-such-option")
    with pytest.raises(PartError, match="JAVA_GATEWAY_EXITED"):
        [*points_of("rows", tmp_path, 0.0001)]


@pytest.mark.long
def test_run(tmp_path: Path) -> None:
    out = tmp_path / "results"
    run("benchmarks.scale", "--scale", "0.0001", "--out", str(out), "--work", str(tmp_path))
    results = ScaleResults.read(out)
    assert [*results.seconds] == [*PARTS] and not results.failed
    assert all(point.seconds > 0 for point in results.points)
    assert {point.name for point in tmp_path.iterdir()} == {"results"}
    assert {path.name for path in out.iterdir()} == {"scale.json", "scale.md"}
    write_report(results, tmp_path)
    assert (out / "scale.md").read_bytes() == (tmp_path / "scale.md").read_bytes()
    assert rates_of(results).statement_bytes > 10
