"""The page of a report: one file of HTML that loads nothing, and runs only its own script."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from importlib import resources

from jelly_spark.patches import Finding
from jelly_spark.report.charts import (
    chain_chart,
    describe_begin,
    is_logarithmic,
    span,
    step_name,
    timeline_chart,
)
from jelly_spark.report.contents import FINDINGS, ROWS, LogFile, Report, ShownRow
from jelly_spark.report.figures import TOP, PatchFigures
from jelly_spark.report.html import Child, Html, cut, element, join, note
from jelly_spark.report.tables import patch_table, table, term_tables, time_of, totals

FILES = 100
"""How many files a page lists."""


def page(report: Report) -> str:
    """Return the page of a report. The same report gives the same page.

    The page allows only its own script and style (Content-Security-Policy, by their hashes), so
    nothing in the terms, headers or file names can run or load anything.
    """
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    title = f"Report: {report.title}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", style),
    )
    sections = _Sections(report)
    body = element(
        "body",
        element("a", "Skip to the report", class_="skip", href="#report"),
        element("header", element("h1", title), _tools()),
        _navigation(),
        element("main", *sections.all(), id="report", tabindex="-1"),
        element("script", script),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _resource(name: str) -> Html:
    return Html(resources.files(__package__).joinpath(name).read_text("utf-8"))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


_SECTIONS = {
    "overview": "Overview",
    "timeline": "Adds and deletes by patch",
    "chain": "The chain",
    "patches": "Largest and aborted patches",
    "terms": "Predicates, graphs and subjects",
    "findings": "Findings",
    "rows": "Rows",
    "files": "Files",
}


def _navigation() -> Html:
    links = (element("li", element("a", name, href=f"#{id}")) for id, name in _SECTIONS.items())
    return element("nav", element("ul", *links), aria_label="Sections")


def _tools() -> Html:
    search = join(
        element("label", "Search all tables", for_="search"),
        element("input", id="search", type="search", autocomplete="off", spellcheck="false"),
    )
    return element(
        "div",
        search,
        element("span", id="found", role="status"),
        element("button", "Dark theme", id="theme", type="button"),
        class_="tools",
        id="tools",
        hidden=True,
    )


class _Sections:
    """The sections of a page."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._figures = report.figures
        self._shown = {
            (file, row.seq)
            for file, part in enumerate(report.files)
            for rows in part.excerpts
            for row in rows
        }

    def all(self) -> list[Html]:
        bodies: dict[str, list[Child]] = {
            "overview": self._overview(),
            "timeline": self._timeline(),
            "chain": self._chain(),
            "patches": self._patches(),
            "terms": [*term_tables(self._figures, TOP)],
            "findings": self._findings(),
            "rows": self._rows(),
            "files": self._files(),
        }
        return [
            element(
                "section",
                element("h2", _SECTIONS[id], id=f"{id}-title"),
                *body,
                id=id,
                aria_labelledby=f"{id}-title",
            )
            for id, body in bodies.items()
        ]

    def _overview(self) -> list[Child]:
        errors = sum(finding.severity == "error" for finding in self._report.findings)
        numbers = [
            ("Files", len(self._report.files)),
            *totals(self._figures),
            ("Errors", errors),
            ("Warnings", len(self._report.findings) - errors),
        ]
        entries = (
            element("div", element("dt", name), element("dd", f"{count:,}"))
            for name, count in numbers
        )
        return [element("dl", *entries, class_="numbers")]

    def _timeline(self) -> list[Child]:
        timeline = self._figures.timeline
        if not timeline.steps:
            return [element("p", "There are no patches.")]
        names = {
            "zoom-in": "Zoom in",
            "zoom-out": "Zoom out",
            "earlier": "Earlier",
            "later": "Later",
            "reset": "All patches",
        }
        buttons = (element("button", name, type="button", id=id) for id, name in names.items())
        legend = element(
            "p",
            element("span", class_="key add"),
            "added, above the axis ",
            element("span", class_="key delete"),
            "deleted, below it ",
            element("span", class_="key aborted"),
            "with an aborted or open transaction",
            class_="legend",
        )
        scale = "logarithmic" if is_logarithmic(timeline) else "linear"
        zoom = element(
            "div",
            element("div", *buttons, class_="buttons"),
            _choice("scale", "Scale", ("linear", "logarithmic"), scale),
            element("span", id="range", role="status"),
            class_="tools",
            id="zoom",
            hidden=True,
        )
        keys = (
            "Keys: + and - zoom, the arrows move, 0 shows all patches. Or drag over the patches "
            "to zoom to."
        )
        chart = element(
            "div",
            timeline_chart(timeline),
            id="chart",
            role="group",
            aria_label="The timeline",
            aria_describedby="keys",
        )
        rows: list[list[Child]] = [
            [
                *(step_name(timeline, place), time_of(step.time)),
                *(step.adds, step.deletes, step.aborted),
            ]
            for place, step in enumerate(timeline.steps)
        ]
        columns = ["Patches", "Time", "Adds", "Deletes", "With an aborted transaction"]
        numbers = element(
            "details",
            element("summary", "The numbers as a table"),
            table("Adds and deletes by patch", columns, rows, id="steps"),
        )
        joined = note(f"A bar stands for {timeline.width:,} patches.", when=timeline.width > 1)
        return [legend, zoom, chart, element("p", keys, id="keys", hidden=True), joined, numbers]

    def _chain(self) -> list[Child]:
        chain = self._figures.chain
        if not chain.runs:
            return [element("p", "There are no patches.")]
        if len(chain.runs) > 1:
            text = "The patches do not form one chain. A row of the table is a part that does."
        elif chain.runs[0].begin == "unchained":
            text = "The patches have neither id nor prev, so they form no chain."
        elif chain.runs[0].begin == "cycle":
            text = "The patches form a cycle: the prev of the first names the last, or itself."
        else:
            text = "Each patch has the id of the one before as its prev: the chain has no gap."
        rows: list[list[Child]] = [
            [
                join(
                    self._link_to_patch(run.first, run.seq),
                    None if run.first == run.last else f" to {run.last:,}",
                ),
                describe_begin(run),
                _code(run.prev),
                _code(run.first_id),
                _code(run.last_id),
            ]
            for run in chain.runs
        ]
        columns = ["Patches", "Begins with", "Prev of the first", "First id", "Last id"]
        return [
            element("p", text),
            chain_chart(chain.runs, self._figures.patches),
            table("The parts of the chain", columns, rows, class_="cards"),
            note(f"{chain.left_out:,} more parts are not shown.", when=chain.left_out),
        ]

    def _patches(self) -> list[Child]:
        figures = self._figures
        largest = patch_table("The largest patches", figures.largest, self._link_of)
        if not figures.aborted_patches:
            return [largest, element("p", "No transaction is aborted or left open.")]
        caption = "Patches with an aborted or open transaction"
        aborted = patch_table(caption, figures.aborted_patches, self._link_of)
        more = figures.aborted_patch_count - len(figures.aborted_patches)
        return [largest, aborted, note(f"{more:,} more are not shown.", when=more)]

    def _findings(self) -> list[Child]:
        findings = self._report.findings
        if not findings:
            return [element("p", "No findings.")]
        counts = Counter((finding.severity, finding.rule) for finding in findings)
        rules: list[list[Child]] = [
            [severity, rule, count] for (severity, rule), count in sorted(counts.items())
        ]
        shown = findings[:FINDINGS]
        severities = sorted({finding.severity for finding in shown})
        filters = element(
            "div",
            _choice("severity", "Severity", ["", *severities]),
            _choice("rule", "Rule", ["", *sorted({finding.rule for finding in shown})]),
            class_="tools",
            id="filters",
            hidden=True,
        )
        rows = [
            self._finding(finding, place)
            for finding, place in zip(shown, self._report.places, strict=False)
        ]
        more = len(findings) - len(shown)
        text = f"{more:,} more are not shown: jelly-spark validate lists all of them."
        columns = ["Severity", "Rule", "Row", "File", "Message"]
        return [
            table("Findings by rule", ["Severity", "Rule", "Findings"], rules),
            filters,
            table("The findings", columns, rows, id="finding-list"),
            note(text, when=more),
        ]

    def _finding(self, finding: Finding, place: tuple[int, int] | None) -> list[Child]:
        row: Child = None
        if place is not None:
            name = "last row" if finding.seq is None else f"row {finding.seq:,}"
            row = self._link(name, *place)
        return [finding.severity, finding.rule, row, finding.file, cut(finding.message)]

    def _rows(self) -> list[Child]:
        marked = {place for place in self._report.places[:FINDINGS] if place is not None}
        parts: list[Child] = [
            element(
                "p",
                "The rows around the findings, and the beginnings of the patches that are listed "
                "above. jelly-spark cat shows all rows.",
            )
        ]
        for file, part in enumerate(self._report.files):
            for rows in part.excerpts:
                if rows:
                    parts.append(_excerpt(file, part, rows, marked))
        left_out = self._report.left_out
        text = f"The page shows at most {ROWS:,} rows: {left_out:,} more places are left out."
        return [*parts, note(text, when=left_out)]

    def _files(self) -> list[Child]:
        files = self._report.files
        rows: list[list[Child]] = [[part.title, part.patches, part.rows] for part in files[:FILES]]
        more = len(files) - FILES
        return [
            table("The files, in order", ["File", "Patches", "Rows"], rows),
            note(f"{more:,} more are not shown.", when=more > 0),
        ]

    def _link_of(self, patch: PatchFigures) -> Child:
        return self._link_to_patch(patch.place, patch.seq)

    def _link_to_patch(self, place: int, seq: int | None) -> Child:
        text = f"{place:,}"
        return text if seq is None else self._link(text, self._report.file_of(place), seq)

    def _link(self, text: str, file: int, seq: int) -> Child:
        """Return a link to a row, or only its text if the page does not show the row."""
        if (file, seq) not in self._shown:
            return text
        return element("a", text, href=f"#{_row_id(file, seq)}")


def _code(term: str | None) -> Child:
    return None if term is None else element("code", cut(term))


def _row_id(file: int, seq: int) -> str:
    return f"row-{file}-{seq}"


def _choice(id: str, name: str, values: Sequence[str], chosen: str = "") -> Html:
    options = (
        element("option", value or "all", value=value, selected=value == chosen) for value in values
    )
    return join(element("label", name, for_=id), element("select", *options, id=id))


def _excerpt(
    file: int, part: LogFile, rows: Sequence[ShownRow], marked: set[tuple[int, int]]
) -> Html:
    """Return the table of consecutive rows, each with an id that links lead to."""
    body = (
        element(
            "tr",
            element("th", f"{row.seq:,}", scope="row", class_="number"),
            element("td", f"{row.patch:,}" if row.patch is not None else None, class_="number"),
            element("td", element("code", row.op)),
            element("td", element("code", row.text)),
            id=_row_id(file, row.seq),
            tabindex="-1",
            class_="marked" if (file, row.seq) in marked else None,
        )
        for row in rows
    )
    columns = {"Row": "number", "Patch": "number", "Code": None, "Terms": None}
    heads = (element("th", name, scope="col", class_=kind) for name, kind in columns.items())
    head = element("tr", *heads)
    return element(
        "table",
        element("caption", f"{part.title}, {span('row', 'rows', rows[0].seq, rows[-1].seq)}"),
        element("thead", head),
        element("tbody", *body),
        class_="rows",
    )
