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
from jelly_spark.cli.command import Command
from jelly_spark.cli.terminal.output import console, print_json, print_line, table
from jelly_spark.cli.terminal.progress import ProgressBar
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
def stats(
    files: tuple[str, ...],
    top: int,
    plot: bool,
    reading: Reading,
    as_json: bool,
) -> None:
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
            with source.open() as reader:
                rows = progress.rows(source, reader)
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
        report |= _statement_report(statements, predicates, graphs, top)
    if as_json:
        print_json(report)
    else:
        show = _print_patches if True in kinds else _print_statements
        show(report, plot=plot)
        _print_missed(report)


def _patch_report(found: Figures, top: int) -> dict[str, Any]:
    def by_term(changes: TopTerms, name: str) -> list[dict[str, Any]]:
        return [
            {name: count.term, "adds": count.adds, "deletes": count.deletes}
            for count in changes.top(top)
        ]

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
        "predicates": by_term(found.predicates, "predicate"),
        "graphs": by_term(found.graphs, "graph"),
        "missed_at_most": _missed(found.predicates, found.graphs),
    }


def _statement_report(
    statements: int, predicates: TopTerms, graphs: TopTerms, top: int
) -> dict[str, Any]:
    def by_term(counts: TopTerms, name: str) -> list[dict[str, Any]]:
        return [{name: count.term, "statements": count.adds} for count in counts.top(top)]

    return {
        "statements": statements,
        "predicates": by_term(predicates, "predicate"),
        "graphs": by_term(graphs, "graph"),
        "missed_at_most": _missed(predicates, graphs),
    }


def _print_patches(report: dict[str, Any], *, plot: bool) -> None:
    out = console()
    out.print(
        f"Patches: {report['patches']:,}. Statements added: {report['adds']:,}, deleted: "
        f"{report['deletes']:,}. Aborted transactions: {report['aborted_transactions']:,}. Changes "
        f"without a commit, left out: {report['changes_without_commit']:,}."
    )
    for title, name, headings in (
        ("Largest patches", "largest_patches", ["file", "patch", "id"]),
        ("Predicates", "predicates", ["predicate"]),
        ("Graphs", "graphs", ["graph"]),
    ):
        _print_table(title, headings, ["adds", "deletes"], report[name], plot=plot)


def _missed(predicates: TopTerms, graphs: TopTerms) -> dict[str, int]:
    """Return by how much the numbers of terms can be too small, which are too many to keep all."""
    return {"predicates": predicates.dropped, "graphs": graphs.dropped}


def _print_missed(report: dict[str, Any]) -> None:
    for name, missed in report["missed_at_most"].items():
        if missed:
            print_line(
                f"The {name} are too many to count all: each number can be up to {missed:,} too "
                f"small, and one that is not shown can have {missed:,} or as many as the last one."
            )


def _print_statements(report: dict[str, Any], *, plot: bool) -> None:
    print_line(f"Statements: {report['statements']:,}.")
    for title, heading in (("Predicates", "predicate"), ("Graphs", "graph")):
        _print_table(title, [heading], ["statements"], report[f"{heading}s"], plot=plot)


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
    console().print(table(title, columns, cells))


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
