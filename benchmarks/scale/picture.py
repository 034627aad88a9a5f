"""The chart of a part: time, memory and bytes against the size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.picture import SVG
from benchmarks.scale.curves import Curve

_COLORS = ("#00796b", "#d84315", "#5e35b1", "#f9a825", "#1565c0")


def write_picture(curves: Sequence[Curve], size: str, path: Path) -> None:
    """Write the curves of a part as an SVG, the same for the same results.

    Args:
        curves: the curves.
        size: what the size is.
        path: the path of the file.
    """
    with rc_context(SVG):
        figure = Figure(figsize=(8, 3.4), layout="constrained", facecolor="white")
        times, sizes = figure.subplots(1, 2)
        for curve, color in zip(curves, _COLORS, strict=False):
            times.plot(*_points(curve, "seconds"), "o-", color=color, label=curve.name)
            line, xs = curve.line(), curve.values("x")
            fitted = [line.fixed + line.each * x for x in xs]
            times.plot(xs, fitted, color="#333333", linewidth=0.6, linestyle="--")
            sizes.plot(*_points(curve, "heap", 1e6), "o-", color=color, label=f"{curve.name}, heap")
            if any(curve.values("shuffled")):
                label = f"{curve.name}, shuffled"
                points = _points(curve, "shuffled", 1e6)
                sizes.plot(*points, "s:", color=color, label=label, markersize=4)
        _name(times, "elapsed seconds; dashed: the straight line", size)
        _name(sizes, "MB: heap after collections, bytes shuffled", size)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _points(curve: Curve, what: str, unit: float = 1) -> tuple[list[float], list[float]]:
    return curve.values("x"), [value / unit for value in curve.values(what)]


def _name(axes: Axes, title: str, size: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(title, loc="left", fontsize=9)
    axes.set_xlabel(size)
    axes.legend(frameon=False, fontsize=7)
    axes.spines[["top", "right"]].set_visible(False)
