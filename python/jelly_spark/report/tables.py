"""Tables of figures, for the page and for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone

from jelly_spark.core.terms import Literal, parse_term
from jelly_spark.errors import InvalidTermError
from jelly_spark.report.charts import bar
from jelly_spark.report.figures import Figures, PatchFigures
from jelly_spark.report.html import Child, Html, cut, element, join, note
from jelly_spark.report.top_terms import TermCount, TopTerms


def table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[Child]], **attributes: str
) -> Html:
    """Return a table; numbers have separators, and the class `number`.

    A column without a heading only draws what others say. A column without a value is left out.
    On a narrow screen, each row of a table of the class `cards` is a list of its cells.
    """
    used = [
        at for at in range(len(columns)) if not rows or any(row[at] is not None for row in rows)
    ]
    columns, rows = [columns[at] for at in used], [[row[at] for at in used] for row in rows]
    are_numbers = [all(isinstance(row[at], int) for row in rows) for at in range(len(columns))]
    heads = zip(columns, are_numbers, strict=True)
    head = element("tr", *(_heading(column, is_number=number) for column, number in heads))
    labels = columns if attributes.get("class_") == "cards" else [None] * len(columns)
    body = (element("tr", *map(_cell, row, labels)) for row in rows)
    return element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *body),
        **attributes,
    )


def _heading(column: str, *, is_number: bool) -> Html:
    if not column:
        return element("td", aria_hidden="true")
    return element("th", column, scope="col", class_="number" if is_number else None)


def _cell(cell: Child, label: str | None) -> Html:
    if isinstance(cell, int):
        return element("td", f"{cell:,}", class_="number", data_label=label)
    return element("td", cell, data_label=label)


def totals(figures: Figures) -> list[tuple[str, int]]:
    """Return the totals of a log, each with its name."""
    return [
        ("Patches", figures.patches),
        ("Rows", figures.rows),
        ("Statements added", figures.adds),
        ("Statements deleted", figures.deletes),
        ("Aborted transactions", figures.aborted),
        ("Changes without a commit", figures.not_effective),
    ]


def term_table(name: str, counts: TopTerms, top: int) -> Html:
    """Return the table of the terms with the most changes, with a note if it is not exact."""
    found = counts.top(top)
    longest = max((count.changes for count in found), default=0)
    rows = [_term_row(name, count, longest) for count in found]
    more = len(counts) - len(found)
    if counts.dropped:
        text = (
            f"There are too many to count all of them exactly: a number can be up to "
            f"{counts.dropped:,} too small, and a {name} that is not shown can have "
            f"{max(counts.dropped, found[-1].changes):,} changes."
        )
    else:
        text = f"{more:,} more are not shown." if more else ""
    caption = f"The {name}s with the most changes"
    columns = [name.capitalize(), "Adds", "Deletes", ""]
    return join(table(caption, columns, rows), note(text, when=text))


def term_tables(figures: Figures, top: int) -> list[Html]:
    """Return the tables of the predicates, graphs and subjects with the most changes."""
    return [
        term_table("predicate", figures.predicates, top),
        term_table("graph", figures.graphs, top),
        term_table("subject", figures.subjects, top),
    ]


def _term_row(name: str, count: TermCount, longest: int) -> list[Child]:
    term: Child = element("code", cut(count.term)) if count.term is not None else None
    if term is None:
        term = "default graph" if name == "graph" else "none"
    return [term, count.adds, count.deletes, bar(count.adds, count.deletes, longest)]


def patch_table(
    caption: str, patches: Sequence[PatchFigures], link: Callable[[PatchFigures], Child]
) -> Html:
    """Return a table of patches; `link` returns the cell for the position of a patch."""
    longest = max((patch.changes for patch in patches), default=0)
    columns = ["Patch", "Time", "Id", "Message", "File", "Adds", "Deletes", "Without commit", ""]
    rows = [
        [
            link(patch),
            time_of(patch.time),
            None if patch.id is None else element("code", cut(patch.id)),
            None if patch.message is None else cut(text_of(patch.message)),
            patch.file,
            patch.adds,
            patch.deletes,
            patch.not_effective,
            bar(patch.adds, patch.deletes, longest),
        ]
        for patch in patches
    ]
    return table(caption, columns, rows, class_="cards")


def time_of(time: datetime | None) -> str | None:
    """Return a time as the page shows it, in UTC."""
    return None if time is None else f"{time.astimezone(timezone.utc):%Y-%m-%d %H:%M:%SZ}"


def text_of(term: str) -> str:
    """Return the text of a literal, and any other term as it is."""
    try:
        parsed = parse_term(term)
    except InvalidTermError:
        return term
    return parsed.lexical if isinstance(parsed, Literal) else term
