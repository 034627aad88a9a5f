"""Writing the results as tables and charts.

`python -m benchmarks.report` writes those of the checkout again from `results.json`, and also the
table in the README.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.data.datasets import WEATHER
from benchmarks.measures import MEASURES, PREFIXES
from benchmarks.parts import PARTS
from benchmarks.parts.formats import report_big_file
from benchmarks.picture import grouped, write_picture
from benchmarks.results import Results
from benchmarks.running.participants import ROOT
from benchmarks.tables import named, table

README_TABLE = re.compile("(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)
"""The pattern of the table in the README, between its two comments."""

_README_RATIOS = {
    "scan_all": ("read `jelly_rdf`, every column", "Jelly-JVM's decoder, without Spark"),
    "scan_vs_parquet": ("read `jelly_rdf`, every column", "Spark reads Parquet"),
    "scan_vs_text": ("read `jelly_patch`, every column", "Jena reads RDF Patch text"),
    "scan_vs_thrift": ("read `jelly_patch`, every column", "Jena reads RDF Patch binary"),
    "write": ("write `jelly_rdf`", "Jelly-JVM's writer for Jena, without Spark"),
    "python_decode": ("read `jelly_rdf` in plain Python", "pyjelly, compiled"),
    "python_decode_compiled": ("the same, compiled", "pyjelly, compiled"),
    "python_encode": ("write `jelly_rdf` in plain Python", "pyjelly, compiled"),
    "python_encode_compiled": ("the same, compiled", "pyjelly, compiled"),
    "two_cores": ("read one file of half a gigabyte with two cores", "the same with one core"),
}
"""What Jelly Spark does and what it is compared with, for the most important ratios."""


def main() -> None:
    """Write the tables and charts of the checkout again."""
    folder = Path(__file__).parent
    results = Results.read(folder)
    write_report(results, folder)
    readme = ROOT / "README.md"
    text = README_TABLE.sub(lambda _: readme_table(results), readme.read_text("utf-8"))
    readme.write_text(text, encoding="utf-8")


def write_report(results: Results, folder: Path) -> None:
    """Write `results.md` and `speed.svg`."""
    (folder / "results.md").write_text("\n".join(_page(results)) + "\n", encoding="utf-8")
    write_picture(results, folder / "speed.svg")


def readme_table(results: Results) -> str:
    """Return the table of the README, with the most important ratios of the shop dataset."""
    head = "| what Jelly Spark does | compared with | times as fast |\n| --- | --- | --- |\n"
    return head + "".join(
        f"| {what} | {peer} | {results.ratios[name].ratio:.2f} |\n"
        for name, (what, peer) in _README_RATIOS.items()
    )


def _page(results: Results) -> Iterator[str]:
    """Yield the lines of `results.md`."""
    options = results.options
    yield from ["# Results of `make bench`", ""]
    yield from ["[README.md](README.md) says what each figure means.", ""]
    # The documentation site includes the lines between these two marks.
    yield from ["<!-- --8<-- [start:figures] -->", ""]
    yield f"Machine: {named(results.machine)}. Versions: {named(results.versions)}."
    yield ""
    yield (
        f"{options['rows']:,} statements on the JVM, {options['python_rows']:,} in Python. Medians "
        f"of {options['rounds']} rounds after up to {options['warm_ups']} warm-up rounds. Each JVM "
        f"has a heap of {options['heap']}."
    )
    yield from ["", "## Ratios", ""]
    yield (
        "How many times as fast Jelly Spark is. After a ratio of times is its 95 % confidence "
        "interval."
    )
    yield ""
    yield from _ratios(results)
    yield from ["## Rows per second", "", *_speeds(results), ""]
    yield from ["## Sizes", "", *table(results.tables["sizes"], "format", digits=1), ""]
    yield from ["## The big file", "", report_big_file(results), ""]
    for part in PARTS:
        lines = part.report(results) if part.table in results.tables else ["Not run."]
        yield from [f"## {part.title}", "", *lines, ""]
    yield from ["<!-- --8<-- [end:figures] -->", ""]
    yield from ["## Goals that are not reached", "", *_missed_goals(results)]


def _ratios(results: Results) -> Iterator[str]:
    """Yield a table for each group of ratios."""
    shop = [name for name in results.ratios if not name.startswith(WEATHER.prefix)]
    for title, names in grouped(shop).items():
        cells = {
            f"`{name}`": {
                column: results.ratios.get(prefix + name) for column, prefix in PREFIXES.items()
            }
            for name in names
        }
        yield from [f"### {title}", "", *table(cells, "ratio"), ""]


def _speeds(results: Results) -> list[str]:
    """Return the table of the rows per second of measures."""
    rows = {}
    for measure in MEASURES:
        found = {
            column: f"{results.measures[prefix + measure.name].per_second / 1e6:.3g} M"
            for column, prefix in PREFIXES.items()
            if prefix + measure.name in results.measures
        }
        if found:
            rows[f"`{measure.name}`"] = {"what": measure.label, **found}
    return table(rows, "measure")


def _missed_goals(results: Results) -> list[str]:
    goals = {name: found for name, found in results.ratios.items() if found.goal is not None}
    missed = {
        f"`{name}`": {"found": str(found), "goal": float(found.goal)}
        for name, found in goals.items()
        if found.goal is not None and found.ratio < found.goal
    }
    return [f"{len(missed)} of {len(goals)}:", "", *table(missed, "ratio")]


if __name__ == "__main__":
    main()
