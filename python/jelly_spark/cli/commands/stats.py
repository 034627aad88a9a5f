"""`jelly-spark stats`: how much was added and deleted, by patch, predicate and graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from jelly_spark.cli.arguments.files import find_sources
from jelly_spark.cli.arguments.reading import Reading, read_options
from jelly_spark.cli.command import Command, is_given
from jelly_spark.cli.terminal.output import console, print_json, print_line, print_table
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.cli.terminal.short_iris import ShortIris
from jelly_spark.patches.log_rows import group_patches
from jelly_spark.report.figures import Figures
from jelly_spark.report.top_terms import TopTerms

_BAR = 40
"""The length of the longest bar, in characters."""


@click.command(cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many patches, predicates and graphs to show.",
)
@click.option("--plot", is_flag=True, help="Draw bars beside the numbers.")
@read_options
def stats(files: tuple[str, ...], top: int, plot: bool, reading: Reading) -> None:
    """Count adds and deletes, in all and by term.

    The statements that patches add and delete are counted by patch, predicate and graph. Changes in
    aborted and open transactions have no effect, so they are left out, and counted apart. In RDF
    files, the statements are counted.
    """
    sources = find_sources(files, reading)
    kinds = {source.has_patches for source in sources}
    if len(kinds) > 1:
        raise click.UsageError("the files must all hold patches, or all hold statements")
    found = Figures(top)
    statements = 0
    predicates, graphs = TopTerms(), TopTerms()
    with ProgressBar() as progress:
        for source in sources:
            rows = progress.read(source)
            if source.has_patches:
                for _, group in group_patches(rows):
                    for _ in found.watch(source.title, group):
                        pass
            else:
                for row in rows:
                    statements += 1
                    predicates.add("A", row.predicate)
                    graphs.add("A", row.graph)
    report: dict[str, Any] = {"files": [source.title for source in sources]}
    if True in kinds:
        report |= _patch_report(found, top)
    else:
        report["statements"] = statements
        report |= _by_term(predicates, graphs, ("statements",), top)
    if is_given("--json"):
        print_json(report)
    else:
        shorten = ShortIris(*(source.log for source in sources)).shorten
        for name, column in (("predicates", "predicate"), ("graphs", "graph")):
            for row in report[name]:
                row[column] = shorten(row[column])
        _print(report, plot=plot)


def _patch_report(found: Figures, top: int) -> dict[str, Any]:
    return {
        "patches": found.patches,
        "adds": found.adds,
        "deletes": found.deletes,
        "aborted_transactions": found.aborted,
        "changes_without_commit": found.not_effective,
        "largest_patches": [
            {name: getattr(patch, name) for name in ("file", "patch", "id", "adds", "deletes")}
            for patch in found.largest
        ],
        **_by_term(found.predicates, found.graphs, ("adds", "deletes"), top),
    }


def _by_term(
    predicates: TopTerms, graphs: TopTerms, numbers: Sequence[str], top: int
) -> dict[str, Any]:
    """Return the terms with the most changes; statements of RDF files were counted as adds."""

    def listed(counts: TopTerms, name: str) -> list[dict[str, Any]]:
        return [
            {name: found.term, **dict(zip(numbers, (found.adds, found.deletes), strict=False))}
            for found in counts.top(top)
        ]

    return {
        "predicates": listed(predicates, "predicate"),
        "graphs": listed(graphs, "graph"),
        # By how much the numbers can be too small if there are too many terms to keep them all.
        "missed_at_most": {"predicates": predicates.dropped, "graphs": graphs.dropped},
    }


def _print(report: dict[str, Any], *, plot: bool) -> None:
    numbers = ["statements"]
    if "patches" in report:
        numbers = ["adds", "deletes"]
        console().print(
            f"Patches: {report['patches']:,}. Statements added: {report['adds']:,}, deleted: "
            f"{report['deletes']:,}. Aborted transactions: {report['aborted_transactions']:,}. "
            f"Changes without a commit, left out: {report['changes_without_commit']:,}."
        )
        headings = ["file", "patch", "id"]
        _print_table("Largest patches", headings, numbers, report["largest_patches"], plot=plot)
    else:
        print_line(f"Statements: {report['statements']:,}.")
    _print_table("Predicates", ["predicate"], numbers, report["predicates"], plot=plot)
    _print_table("Graphs", ["graph"], numbers, report["graphs"], plot=plot)
    for name, missed in report["missed_at_most"].items():
        if missed:
            print_line(
                f"The {name} are too many to count all: each number can be up to {missed:,} too "
                f"small, and one that is not shown can have {missed:,} or as many as the last one."
            )


def _print_table(
    title: str,
    headings: Sequence[str],
    numbers: Sequence[str],
    rows: Sequence[dict[str, Any]],
    *,
    plot: bool,
) -> None:
    if not rows:
        return
    columns = [*headings, *numbers]
    cells: list[list[object]] = [
        ["default graph" if (name, row[name]) == ("graph", None) else row[name] for name in columns]
        for row in rows
    ]
    if plot:
        columns.append("")
        bars = [[row[name] for name in numbers] for row in rows]
        longest = max(map(sum, bars))
        for row, bar in zip(cells, bars, strict=True):
            row.append(_Bar(bar, longest))
    print_table(title, columns, cells)


class _Bar:
    """The bar of a row: `+` for adds, `-` for deletes; narrower than `_BAR` on a narrow terminal.

    Args:
        numbers: the adds and deletes, or the statements.
        longest: the sum of the numbers in the row with the longest bar.
    """

    def __init__(self, numbers: Sequence[int], longest: int) -> None:
        self._numbers = numbers
        self._longest = longest

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(1, min(_BAR, options.max_width))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(_BAR, options.max_width)
        # At least one character, so that a small number is seen.
        lengths = [
            max(round(number * width / self._longest), 1) if number else 0
            for number in self._numbers
        ]
        if sum(lengths) > width:
            lengths[lengths.index(max(lengths))] -= 1
        bar = Text(overflow="crop", no_wrap=True)
        for length, sign, style in zip(lengths, "+-", ("green", "red"), strict=False):
            bar.append(sign * length, style)
        yield bar
