"""The chart of speeds in the README and on the documentation site."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.results import Results


class Bar(NamedTuple):
    """A bar of the chart.

    Attributes:
        measure: the name of the measure.
        label: the label of the bar.
        ours: whether the measure is of Jelly Spark, not of a peer.
    """

    measure: str
    label: str
    ours: bool = False


PANELS = {
    "Read, one core": (
        Bar("scan_all", "Jelly Spark, jelly_rdf in Spark", ours=True),
        Bar("jelly_core_decode", "Jelly-JVM's decoder, without Spark"),
        Bar("scan_patch", "Jelly Spark, jelly_patch in Spark", ours=True),
        Bar("parquet_scan", "Parquet in Spark"),
        Bar("lines_scan", "N-Triples lines in Spark"),
        Bar("jena_thrift_read", "Jena, RDF Patch binary"),
        Bar("jena_text_read", "Jena, RDF Patch text"),
    ),
    "Write, one core": (
        Bar("write", "Jelly Spark, jelly_rdf in Spark", ours=True),
        Bar("write_patch", "Jelly Spark, jelly_patch in Spark", ours=True),
        Bar("jelly_jena_encode", "Jelly-JVM's writer for Jena"),
        Bar("jena_thrift_write", "Jena, RDF Patch binary"),
        Bar("jena_text_write", "Jena, RDF Patch text"),
    ),
    "Plain Python": (
        Bar("python_decode", "Jelly Spark, read", ours=True),
        Bar("pyjelly_decode", "pyjelly, read"),
        Bar("python_encode", "Jelly Spark, write", ours=True),
        Bar("pyjelly_encode", "pyjelly, write"),
    ),
}
"""The bars of each panel, from top to bottom, by the panel's title."""

_OURS, _PEERS = "#00796b", "#b0b7bd"


def write_picture(results: Results, path: Path) -> None:
    """Write the rows per second of the shop dataset as an SVG, the same for the same results."""
    # No fonts, random ids or dates, which would differ between machines and runs.
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "jelly-spark", "font.size": 9}):
        figure = Figure(figsize=(8, 6), layout="constrained", facecolor="white")
        heights = [len(bars) for bars in PANELS.values()]
        panels = figure.subplots(len(PANELS), 1, height_ratios=heights)
        for axes, (title, bars) in zip(panels, PANELS.items(), strict=True):
            _draw(axes, title, bars, results)
        figure.supxlabel("million rows per second", fontsize=9)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _draw(axes: Axes, title: str, bars: tuple[Bar, ...], results: Results) -> None:
    rates = [results.medians[bar.measure] / 1e6 for bar in bars]
    drawn = axes.barh(
        [bar.label for bar in bars], rates, color=[_OURS if bar.ours else _PEERS for bar in bars]
    )
    axes.bar_label(drawn, [f"{rate:.3g}" for rate in rates], padding=3)
    axes.invert_yaxis()
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.set_xlim(0, max(rates) * 1.1)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
