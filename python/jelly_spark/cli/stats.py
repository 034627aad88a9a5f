"""`jelly-spark stats`: how much was added and deleted, by patch, predicate and graph."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import click
from rich.text import Text

from jelly_spark.cli.commands import Command
from jelly_spark.cli.files import find_sources, from_option
from jelly_spark.cli.output import console, print_json, table
from jelly_spark.cli.progress import ProgressBar
from jelly_spark.cli.reading import Reading, read_options
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.patches.log_rows import group_patches

_BAR = 40
"""The length of the longest bar, in characters."""


class _Counts:
    """The statements that rows add and delete, by predicate and by graph."""

    def __init__(self) -> None:
        self.adds = self.deletes = 0
        # The number of changes by what changes: an operation and a term.
        self.predicates: Counter[tuple[str, str | None]] = Counter()
        self.graphs: Counter[tuple[str, str | None]] = Counter()

    def add(self, op: str, predicate: str | None, graph: str | None) -> None:
        """Count a statement that an `A` adds or a `D` deletes."""
        if op == "A":
            self.adds += 1
        else:
            self.deletes += 1
        self.predicates[op, predicate] += 1
        self.graphs[op, graph] += 1

    def update(self, other: _Counts) -> None:
        """Add other counts to these."""
        self.adds += other.adds
        self.deletes += other.deletes
        self.predicates.update(other.predicates)
        self.graphs.update(other.graphs)


class _PatchCounts(NamedTuple):
    """The effective changes of a patch; the attributes are those of the JSON.

    `place` is the 0-based position of the patch among all patches of the files.
    """

    changes: int
    place: int
    file: str
    patch: int | None
    id: str | None
    adds: int
    deletes: int


class _Statistics:
    """The statistics of files.

    Args:
        top: the number of patches to keep.
    """

    def __init__(self, top: int) -> None:
        self.counts = _Counts()
        self.patches = self.aborted = self.not_effective = 0
        self.largest: list[_PatchCounts] = []
        self._top = top

    def add_patch(self, file: str, rows: Iterable[PatchRow]) -> None:
        """Add a patch. Changes in transactions that are not committed are only counted."""
        patch = _Counts()
        pending: _Counts | None = None
        id = None
        ordinal = None
        for row in rows:
            op = row.op
            ordinal = row.patch
            if op == "A" or op == "D":
                (patch if pending is None else pending).add(op, row.predicate, row.graph)
            elif op == "H":
                id = row.value if row.name == "id" else id
            elif op == "TX" or op == "TC" or op == "TA":
                if op == "TC" and pending is not None:
                    patch.update(pending)
                else:
                    self._leave_out(pending)
                self.aborted += op == "TA"
                pending = _Counts() if op == "TX" else None
        self._leave_out(pending)
        self.counts.update(patch)
        adds, deletes = patch.adds, patch.deletes
        # Of two equal patches, the first one counts more.
        found = _PatchCounts(adds + deletes, -self.patches, file, ordinal, id, adds, deletes)
        self.patches += 1
        heapq.heappush(self.largest, found)
        if len(self.largest) > self._top:
            heapq.heappop(self.largest)

    def _leave_out(self, pending: _Counts | None) -> None:
        if pending is not None:
            self.not_effective += pending.adds + pending.deletes

    def add_statements(self, rows: Iterable[RdfRow]) -> None:
        """Add the statements of a file."""
        for row in rows:
            self.counts.add("A", row.predicate, row.graph)


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
@from_option
@read_options
def stats(
    files: tuple[str, ...],
    top: int,
    plot: bool,
    source_format: str | None,
    reading: Reading,
    as_json: bool,
) -> None:
    """Count adds and deletes, in all and by term.

    The statements that patches add and delete are counted by patch, predicate and graph. Changes in
    aborted and open transactions have no effect, so they are left out, and counted apart. In RDF
    files, the statements are counted.
    """
    sources = find_sources(files, source_format, reading)
    kinds = {source.has_patches for source in sources}
    if len(kinds) > 1:
        raise click.UsageError("the files must all hold patches, or all hold statements")
    found = _Statistics(top)
    with ProgressBar() as progress:
        for source in sources:
            with source.open() as reader:
                rows = progress.rows(source, reader)
                if source.has_patches:
                    for _, group in group_patches(rows):
                        found.add_patch(source.title, group)
                else:
                    found.add_statements(rows)
    report = _patch_report(found, top) if True in kinds else _statement_report(found.counts, top)
    report = {"files": [source.title for source in sources], **report}
    if as_json:
        print_json(report)
    elif True in kinds:
        _print_patches(report, plot=plot)
    else:
        _print_statements(report, plot=plot)


def _patch_report(found: _Statistics, top: int) -> dict[str, Any]:
    def by_term(changes: Counter[tuple[str, str | None]], name: str) -> list[dict[str, Any]]:
        terms = {term: changes["A", term] + changes["D", term] for _, term in changes}
        return [
            {name: term, "adds": changes["A", term], "deletes": changes["D", term]}
            for term in _largest(terms, top)
        ]

    return {
        "patches": found.patches,
        "adds": found.counts.adds,
        "deletes": found.counts.deletes,
        "aborted_transactions": found.aborted,
        "changes_without_commit": found.not_effective,
        "largest_patches": [
            {name: getattr(patch, name) for name in ("file", "patch", "id", "adds", "deletes")}
            for patch in sorted(found.largest, reverse=True)
        ],
        "predicates": by_term(found.counts.predicates, "predicate"),
        "graphs": by_term(found.counts.graphs, "graph"),
    }


def _statement_report(counts: _Counts, top: int) -> dict[str, Any]:
    def by_term(statements: Counter[tuple[str, str | None]], name: str) -> list[dict[str, Any]]:
        terms = {term: count for (_, term), count in statements.items()}
        return [{name: term, "statements": terms[term]} for term in _largest(terms, top)]

    return {
        "statements": counts.adds,
        "predicates": by_term(counts.predicates, "predicate"),
        "graphs": by_term(counts.graphs, "graph"),
    }


def _largest(terms: dict[str | None, int], top: int) -> list[str | None]:
    """Return the terms with the largest numbers; equal ones by code point."""
    return heapq.nsmallest(top, terms, key=lambda term: (-terms[term], term or ""))


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


def _print_statements(report: dict[str, Any], *, plot: bool) -> None:
    console().print(f"Statements: {report['statements']:,}.")
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
        bar = _bars([[row[name] for name in numbers] for row in rows])
        for place, row in enumerate(cells):
            row.append(bar(place))
    console().print(table(title, columns, cells))


def _bars(numbers: Sequence[Sequence[int]]) -> Callable[[int], Text]:
    """Return a function from a row's place to its bar: `+` for adds, `-` for deletes."""
    longest = max(sum(row) for row in numbers) or 1

    def bar(place: int) -> Text:
        found = Text()
        for number, sign, style in zip(numbers[place], "+-", ("green", "red"), strict=False):
            # At least one character, so that a small number is seen.
            length = max(round(number * _BAR / longest), number > 0)
            found.append(sign * length, style)
        return found

    return bar
