"""The chart of ratios in the README and on the documentation site."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator

from benchmarks.data.datasets import WEATHER
from benchmarks.measures import SHOP_RATIOS
from benchmarks.results import Results

GROUPS = {
    "Read Jelly, one core": ("scan_*",),
    "Read text and Thrift, one core": ("text_*", "thrift_*", "ntriples_*", "turtle_*"),
    "Write, one core": ("write*",),
    "Plain Python": ("python_*", "to_arrow_*"),
    "Messages": ("from_jelly_*", "to_jelly_*"),
    "Patch algebra, two cores": ("diff_*", "triples_diff_*", "apply_*"),
    "Two cores": ("two_cores",),
    "Encoders of Jena's objects": ("jelly_*",),
    "Archives of versions": ("log_vs_*", "bear_*"),
    "Tables that SQL writes": ("log_table_*",),
}
"""The patterns of the ratios of each group, by the group's title. The first group that has a
pattern for a ratio gets it."""

SVG = {"svg.fonttype": "path", "svg.hashsalt": "jelly-spark", "font.size": 9}
"""Settings without fonts or random ids, which would differ between machines and runs."""

WIDTH = 4.6
"""The width of a chart in inches: on a phone, whose pages are 390 pixels wide, text of 8.5 points
has 9 pixels. The white background is part of the chart, for pages in the dark."""

_BARS = (("", "triples", "#00796b"), (WEATHER.prefix, "quads", "#80cbc4"))


def grouped(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of ratios by the titles of their groups, without empty groups."""
    found: dict[str, list[str]] = {title: [] for title in GROUPS}
    for name in names:
        found[_group_of(name)].append(name)
    return {title: group for title, group in found.items() if group}


def _group_of(name: str) -> str:
    for title, patterns in GROUPS.items():
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            return title
    raise KeyError(name)


def write_picture(results: Results, path: Path) -> None:
    """Write the ratios as an SVG, the same for the same results."""
    labels = {ratio.name: ratio.chart for ratio in SHOP_RATIOS if ratio.chart is not None}
    panels = grouped(name for name in labels if name in results.ratios)
    with rc_context(SVG):
        count = sum(map(len, panels.values()))
        figure = Figure(figsize=(WIDTH, 1 + 0.6 * count), layout="constrained", facecolor="white")
        heights = [len(names) for names in panels.values()]
        all_axes = figure.subplots(
            len(panels), 1, height_ratios=heights, sharex=True, squeeze=False
        )[:, 0]
        for axes, (title, names) in zip(all_axes, panels.items(), strict=True):
            _draw(axes, title, {name: labels[name] for name in names}, results)
        all_axes[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
        figure.supxlabel("times as fast as the peer, with 95 % intervals", fontsize=9)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _draw(axes: Axes, title: str, labels: dict[str, str], results: Results) -> None:
    are_pairs = any(WEATHER.prefix + name in results.ratios for name in labels)
    for place, label in enumerate(labels.values()):
        axes.text(0.5, place - 0.32, label, va="bottom", size=8.5)
    for number, (prefix, kind, color) in enumerate(_BARS):
        shift = (number - 0.2) * 0.3 if are_pairs else 0
        for place, name in enumerate(labels):
            found = results.ratios.get(prefix + name)
            if found is None:
                continue
            ratio = found.ratio
            low, high = found.interval or (ratio, ratio)
            axes.barh(place + shift, ratio - 0.5, left=0.5, height=0.28, color=color)
            axes.plot((low, high), (place + shift,) * 2, color="#333333", linewidth=1.2)
            axes.text(max(ratio, high) * 1.04, place + shift, f"{ratio:.2f}", va="center", size=8.5)
        axes.barh(0, 0, color=color, label=kind)  # for the legend
    axes.set_yticks([])
    axes.set_ylim(len(labels) - 0.4, -0.7)
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.set_xscale("log")
    axes.set_xlim(0.5, 30)
    axes.set_xticks((0.5, 1, 2, 5, 10, 20), ("0.5", "1", "2", "5", "10", "20"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.axvline(1, color="#333333", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
