"""A summary of patches, as notebooks show it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from jelly_spark.core.rows import PatchRow
from jelly_spark.report.charts import chain_chart, describe_run, timeline_chart
from jelly_spark.report.figures import Figures
from jelly_spark.report.html import Html, element
from jelly_spark.report.tables import patch_table, table, term_tables, totals

_TOP = 5

# Notebooks have a stylesheet of their own, and their own colours for text.
_STYLE = Html(
    ".jelly-spark svg{display:block}"
    ".jelly-spark table{border-collapse:collapse;margin:.5em 0}"
    ".jelly-spark caption{text-align:left;font-weight:600}"
    ".jelly-spark th,.jelly-spark td{padding:.2em .7em;text-align:left}"
    ".jelly-spark .number{text-align:right;font-variant-numeric:tabular-nums}"
    ".jelly-spark .plot{display:flex;gap:.4em;max-width:50em}"
    ".jelly-spark .scale{flex:none;width:6em;height:12em;fill:currentColor;font-size:.8em}"
    ".jelly-spark .timeline{flex:auto;min-width:0;height:9.6em}"
    ".jelly-spark .chain{width:100%;max-width:50em}"
    ".jelly-spark .bar{width:10em;height:.8em}"
    ".jelly-spark .add{fill:#1a7f9c}.jelly-spark .delete{fill:#c2571a}"
    ".jelly-spark .aborted{fill:#8884}.jelly-spark .axis,.jelly-spark .run,.jelly-spark .link"
    "{stroke:currentColor;fill:none;vector-effect:non-scaling-stroke}"
    ".jelly-spark .patch{fill:currentColor}"
)


class Summary:
    """The figures of patches; a notebook shows them as charts and tables.

    Args:
        title: what is summarized.
        figures: the figures.
        note: a sentence about what is left out.
    """

    def __init__(self, title: str, figures: Figures, note: str | None = None) -> None:
        self.title = title
        self.figures = figures
        self._note = note

    def __repr__(self) -> str:
        found = ", ".join(f"{name.lower()}: {count:,}" for name, count in totals(self.figures))
        return f"<{self.title}: {found}>"

    def _repr_html_(self) -> str:
        figures = self.figures
        names, numbers = zip(*totals(figures), strict=True)
        parts = [
            element("style", _STYLE),
            table(self.title, names, [numbers]),
        ]
        if self._note is not None:
            parts.append(element("p", self._note))
        if figures.patches > 1:
            parts.append(timeline_chart(figures.timeline))
        if len(figures.chain.runs) > 1:
            parts.append(chain_chart(figures.chain.runs, figures.patches))
            described = (element("li", describe_run(run)) for run in figures.chain.runs[:_TOP])
            parts.append(element("ul", *described))
        if figures.patches:
            parts.append(
                patch_table("The largest patches", figures.largest[:_TOP], attrgetter("place"))
            )
            parts += term_tables(figures, _TOP)
        return element("div", *parts, class_="jelly-spark")


def summarize(patches: Iterable[PatchRow], title: str = "Patches") -> Summary:
    """Return the figures of patches: what they add and delete, and how they follow each other.

        summary = summarize(codec.read("changes.jellyp"))
        print(summary.figures.adds, summary.figures.deletes)

    Args:
        patches: the rows of the patches, in order. They are read once, in bounded memory, but for
            the ids of the patches, which are kept.
        title: what to call them.

    Returns:
        The summary, which a notebook shows as charts and tables.

    Raises:
        OptionError: an item of `patches` is not a `PatchRow`.
    """
    figures = Figures()
    figures.add_patches(patches)
    return Summary(title, figures)
