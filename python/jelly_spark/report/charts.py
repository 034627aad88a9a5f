"""Charts as SVG. The page shows the numbers in tables, too."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from statistics import median

from jelly_spark.report.chain import Run
from jelly_spark.report.figures import Step, Timeline
from jelly_spark.report.html import Html, element, join

_LANE = 26
_LANES = 12
_WIDTH = 1000
_LEFT = 24

_UNEVEN = 50
"""If the largest bar is as many times as high as the median one, the scale is logarithmic."""

_HALF = 100
"""The height of the chart above the axis, and below it, of which the highest bar takes `_BAR`."""

_BAR = 90


def is_logarithmic(timeline: Timeline) -> bool:
    """Return whether the bars have a logarithmic scale, because a few are much higher."""
    sizes = [size for size in map(_size, timeline.steps) if size]
    return bool(sizes) and max(sizes) > _UNEVEN * median(sizes)


def timeline_chart(timeline: Timeline) -> Html:
    """Return bars, adds above the axis and deletes below it, and the numbers at their heights.

    The script of the page draws the bars again when it zooms or gets another scale.
    """
    steps = timeline.steps
    top = max(map(_size, steps), default=0) or 1
    logarithmic = is_logarithmic(timeline)

    def height(number: int) -> float:
        return _BAR * (log10(1 + number) / log10(1 + top) if logarithmic else number / top)

    bars = []
    for place, step in enumerate(steps):
        adds, deletes = height(step.adds), height(step.deletes)
        shapes = join(
            _rect("aborted", place, -_HALF, 1, 2 * _HALF) if step.aborted else None,
            _rect("add", place + 0.1, -adds, 0.8, adds) if step.adds else None,
            _rect("delete", place + 0.1, 0, 0.8, deletes) if step.deletes else None,
        )
        title = element("title", describe_step(timeline, place))
        bars.append(element("g", title, shapes, data_adds=step.adds, data_deletes=step.deletes))
    axis = element("line", class_="axis", x1=0, x2=len(steps), y1=0, y2=0)
    chart = element(
        "svg",
        *bars,
        axis,
        class_="timeline",
        viewBox=f"0 {-_HALF} {max(len(steps), 1)} {2 * _HALF}",
        preserveAspectRatio="none",
        role="img",
        aria_label="Adds and deletes by patch; the table below has the numbers",
    )
    numbers = [*(_powers(top) if logarithmic else ()), top]
    labels = [_label(number, sign * height(number)) for number in numbers for sign in (1, -1)]
    zero = _label(0, 0)
    scale = element("svg", zero, *labels, class_="scale", aria_hidden="true", focusable="false")
    return element("div", scale, chart, class_="plot")


def _powers(top: int) -> list[int]:
    """Return a few powers of ten that are clearly less than a number."""
    digits = len(str(top // 4))
    return [10**power for power in range(1, digits, -(-digits // 4))]


def _size(step: Step) -> int:
    return max(step.adds, step.deletes)


def _label(number: int, height: float) -> Html:
    y = f"{(_HALF - height) * 50 / _HALF:.1f}%"
    return element("text", f"{number:,}", x="100%", y=y, dy=".3em", text_anchor="end")


def describe_step(timeline: Timeline, place: int) -> str:
    """Return what a step of a timeline is, in words."""
    step = timeline.steps[place]
    found = f"{step_name(timeline, place)}: {step.adds:,} added, {step.deletes:,} deleted"
    return f"{found}, {step.aborted:,} with an aborted transaction" if step.aborted else found


def step_name(timeline: Timeline, place: int) -> str:
    """Return the patches of a step, such as `patch 3` or `patches 8 to 11`."""
    first = timeline.first + place * timeline.width
    return span("patch", "patches", first, first + timeline.steps[place].patches - 1)


def span(one: str, many: str, first: int, last: int) -> str:
    """Return the words for one or many things, with their ordinals."""
    return f"{one} {first:,}" if first == last else f"{many} {first:,} to {last:,}"


def chain_chart(runs: Sequence[Run], patches: int) -> Html:
    """Return the runs as lines from left to right; a fork is a lane lower than its parent."""

    def x_of(place: int) -> int:
        return _x(place - runs[0].first, patches)

    lanes = [0] * len(runs)
    shapes = []
    for number, run in enumerate(runs):
        parent = next((k for k in range(number) if _holds(runs[k], run.parent)), None)
        if run.begin == "fork" and parent is not None:
            lanes[number] = min(lanes[parent] + 1, _LANES - 1)
        x, end, y = x_of(run.first), x_of(run.last), _y(lanes[number])
        if run.parent is not None and parent is not None:
            start = f"M{x_of(run.parent)} {_y(lanes[parent])}"
            shapes.append(element("path", class_=f"link {run.begin}", d=f"{start}L{x} {y}"))
        elif run.prev is not None:
            shapes.append(element("path", class_=f"link {run.begin}", d=f"M{x - 18} {y}H{x}"))
        title = element("title", describe_run(run))
        line = element("path", class_="run", d=f"M{x} {y}H{end}")
        ends = [
            element("circle", class_=f"patch {run.begin}", cx=x, cy=y, r=5),
            element("circle", class_="patch", cx=end, cy=y, r=5) if end != x else None,
        ]
        shapes.append(element("g", title, line, *ends))
    height = _y(max(lanes, default=0)) + _LANE // 2
    return element(
        "svg",
        *shapes,
        class_="chain",
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        aria_label="The runs of the chain; the table below describes them",
    )


def describe_run(run: Run) -> str:
    """Return the patches of a run, and how it begins, in words."""
    return f"{span('Patch', 'Patches', run.first, run.last)}: {describe_begin(run)}"


def describe_begin(run: Run) -> str:
    """Return how a run begins, in words."""
    if run.begin == "start":
        return "the beginning" if run.prev is None else "continues a log that begins elsewhere"
    if run.begin == "fork":
        after = "" if run.parent is None else f" after patch {run.parent:,}"
        return f"a fork{after}: another patch has the same prev"
    if run.begin == "cycle":
        which = "the patch itself" if run.parent == run.first else "which follows it in the chain"
        return f"a cycle: prev names patch {run.parent:,}, {which}"
    return {
        "root": "no prev, although it is not the first patch",
        "gap": "a gap: no patch has the id that prev names",
        "order": f"out of order: prev names patch {run.parent}",
        "unchained": "no id and no prev",
    }[run.begin]


def bar(adds: int, deletes: int, longest: int) -> Html:
    """Return a bar for a row of a table, whose numbers say the same."""
    return element(
        "svg",
        _rect("add", 0, 0, adds, 1) if adds else None,
        _rect("delete", adds, 0, deletes, 1) if deletes else None,
        class_="bar",
        viewBox=f"0 0 {longest or 1} 1",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )


def _rect(kind: str, x: float, y: float, width: float, height: float) -> Html:
    places = {"x": x, "y": y, "width": width, "height": height}
    numbers = {key: f"{value:.3f}".rstrip("0").rstrip(".") for key, value in places.items()}
    return element("rect", class_=kind, **numbers)


def _holds(run: Run, place: int | None) -> bool:
    return place is not None and run.first <= place <= run.last


def _x(place: int, patches: int) -> int:
    return _LEFT + round((_WIDTH - 2 * _LEFT) * place / max(patches - 1, 1))


def _y(lane: int) -> int:
    return _LANE // 2 + lane * _LANE
