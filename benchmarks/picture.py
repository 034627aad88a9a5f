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
from benchmarks.results import Results

GROUPS = {
    "Read Jelly, one core": ("scan_*",),
    "Read text and Thrift, one core": ("text_*", "thrift_*", "ntriples_*"),
    "Write, one core": ("write*",),
    "Plain Python": ("python_*", "to_arrow_*"),
    "Messages": ("from_jelly_*", "to_jelly_*"),
    "Patch algebra, two cores": ("diff_*", "triples_diff_*", "apply_*"),
    "Two cores": ("two_cores",),
    "Encoders of Jena's objects": ("jelly_*",),
    "Archives of versions": ("log_vs_*", "bear_*"),
}
"""The patterns of the ratios of each group, by the group's title. The first group that has a
pattern for a ratio gets it."""

LABELS = {
    "scan_all": "jelly_rdf, every column vs. Jelly-JVM's decoder, without Spark",
    "scan_count": "count() vs. Jelly-JVM's decoder",
    "scan_predicate": "objects of one predicate vs. Jelly-JVM's decoder",
    "scan_vs_parquet": "jelly_rdf vs. Parquet in Spark",
    "scan_vs_text": "jelly_patch vs. Jena, RDF Patch text",
    "scan_vs_thrift": "jelly_patch vs. Jena, RDF Patch binary",
    "text_vs_jena": "RDF Patch text vs. Jena",
    "thrift_vs_jena": "RDF Patch binary vs. Jena",
    "ntriples_vs_lines": "N-Triples vs. lines, split in Spark",
    "ntriples_vs_pyoxigraph": "N-Triples vs. pyoxigraph",
    "ntriples_vs_serdi": "N-Triples vs. serdi",
    "write": "jelly_rdf vs. Jelly-JVM's writer for Jena",
    "write_vs_text": "jelly_patch vs. Jena, RDF Patch text",
    "write_vs_thrift": "jelly_patch vs. Jena, RDF Patch binary",
    "python_decode": "read vs. pyjelly, compiled",
    "python_encode": "write vs. pyjelly, compiled",
    "to_arrow_vs_rows": "read as Arrow batches vs. read as rows",
    "python_decode_compiled": "compiled, read vs. pyjelly, compiled",
    "python_encode_compiled": "compiled, write vs. pyjelly, compiled",
    "to_arrow_vs_rows_compiled": "compiled, Arrow batches vs. rows",
    "from_jelly_patch_vs_json": "decode vs. from_json",
    "from_jelly_patch_vs_avro": "decode vs. from_avro",
    "to_jelly_patch_vs_json": "encode vs. to_json",
    "diff_vs_sort": "diff of quads vs. GNU sort and comm",
    "triples_diff_vs_sort": "diff of triples vs. GNU sort and comm",
    "apply_vs_jena": "apply vs. Jena, in memory",
}
"""The labels of the ratios in the chart: what is compared with which peer."""

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
    panels = grouped(name for name in LABELS if name in results.ratios)
    with rc_context(SVG):
        count = sum(map(len, panels.values()))
        figure = Figure(figsize=(WIDTH, 1 + 0.6 * count), layout="constrained", facecolor="white")
        heights = [len(names) for names in panels.values()]
        all_axes = figure.subplots(
            len(panels), 1, height_ratios=heights, sharex=True, squeeze=False
        )[:, 0]
        for axes, (title, names) in zip(all_axes, panels.items(), strict=True):
            _draw(axes, title, names, results)
        all_axes[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
        figure.supxlabel("times as fast as the peer, with 95 % intervals", fontsize=9)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _draw(axes: Axes, title: str, names: list[str], results: Results) -> None:
    are_pairs = any(WEATHER.prefix + name in results.ratios for name in names)
    for place, name in enumerate(names):
        axes.text(0.5, place - 0.32, LABELS[name], va="bottom", size=8.5)
    for number, (prefix, label, color) in enumerate(_BARS):
        shift = (number - 0.2) * 0.3 if are_pairs else 0
        for place, name in enumerate(names):
            full = prefix + name
            if full not in results.ratios:
                continue
            ratio = results.ratios[full]
            low, high = results.intervals.get(full, (ratio, ratio))
            axes.barh(place + shift, ratio - 0.5, left=0.5, height=0.28, color=color)
            axes.plot((low, high), (place + shift,) * 2, color="#333333", linewidth=1.2)
            axes.text(max(ratio, high) * 1.04, place + shift, f"{ratio:.2f}", va="center", size=8.5)
        axes.barh(0, 0, color=color, label=label)  # for the legend
    axes.set_yticks([])
    axes.set_ylim(len(names) - 0.4, -0.7)
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.set_xscale("log")
    axes.set_xlim(0.5, 30)
    axes.set_xticks((0.5, 1, 2, 5, 10, 20), ("0.5", "1", "2", "5", "10", "20"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.axvline(1, color="#333333", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
