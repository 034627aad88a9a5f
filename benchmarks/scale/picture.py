"""The chart of a part: time, memory and bytes against the size."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatterSciNotation

from benchmarks.picture import SVG, WIDTH
from benchmarks.scale.curves import Curve

_COLORS = ("#00796b", "#d84315", "#5e35b1", "#f9a825", "#1565c0")
_SIZES = {"heap": "o-", "read": "^--", "shuffled": "s:"}
_LEAST = 1_000_000
"""Curves of sizes that are all smaller than this are not drawn."""


class _Plain(LogFormatterSciNotation):
    """Writes the numbers of an axis without powers, whose exponents are too small to read."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        if not super().__call__(x, pos):
            return ""
        return f"{x / 1e6:,g} M" if x >= 1e6 else f"{x:,g}"


def picture(curves: Mapping[str, Curve], size: str) -> str:
    """Return the curves of a part as an SVG, the same for the same results.

    Args:
        curves: the curves, by name.
        size: what the size is.
    """
    svg = StringIO()
    with rc_context(SVG):
        figure = Figure(figsize=(WIDTH, 6), layout="constrained", facecolor="white")
        times, sizes = figure.subplots(2, 1)
        for (name, curve), color in zip(curves.items(), _COLORS, strict=False):
            xs, line = curve.values("x"), curve.line()
            times.plot(xs, curve.values("seconds"), "o-", color=color, label=name)
            fitted = [line.fixed + line.each * x for x in xs]
            times.plot(xs, fitted, color="#333333", linewidth=0.6, linestyle="--")
            for what, style in _SIZES.items():
                values = curve.values(what)
                if max(values) >= _LEAST:
                    megabytes = [value / 1e6 for value in values]
                    sizes.plot(xs, megabytes, style, color=color, markersize=4)
        for what, style in _SIZES.items():
            sizes.plot([], [], style, color="#333333", label=what, markersize=4)
        _name(times, "elapsed seconds; dashed: the straight line", size)
        _name(sizes, "MB, in the colors of the times", size)
        figure.savefig(svg, format="svg", metadata={"Date": None})
    return svg.getvalue()


def _name(axes: Axes, title: str, size: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(_Plain())
        axis.set_minor_formatter(_Plain())
    axes.set_title(title, loc="left", fontsize=9)
    axes.set_xlabel(size)
    axes.legend(frameon=False, fontsize=8.5)
    axes.spines[["top", "right"]].set_visible(False)
