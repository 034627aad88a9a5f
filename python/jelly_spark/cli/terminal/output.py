"""Printing results: as JSON or lines for programs, as tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from click.exceptions import Exit
from rich import box
from rich.console import Console, ConsoleRenderable
from rich.table import Table
from rich.text import Text

from jelly_spark.cli.arguments.files import stdout
from jelly_spark.cli.command import Status, is_given
from jelly_spark.core.text.visible import visible
from jelly_spark.log import LogFinding
from jelly_spark.patches import Finding

# Wide enough for any table. A pipe has no width, so nothing is wrapped.
_UNBOUNDED = 100_000
# A longer cell would make all lines of a table as long.
_LONGEST_CELL = 1000


def to_json(value: Any) -> bytes:
    """Return a value as one line of JSON, in UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    # A lone surrogate, as in a file name that is not UTF-8, becomes an escape of JSON.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def print_json(value: Any) -> None:
    """Print a value as one line of JSON to standard output."""
    print_json_lines([value])


def print_json_lines(values: Iterable[Any]) -> None:
    """Print values to standard output, each as one line of JSON."""
    out = stdout()
    for value in values:
        out.write(to_json(value))
    out.flush()


def report_json(value: Any, *, to_stdout: bool) -> None:
    """Print what a command did, if `--json` is given; to standard error if rows went to stdout."""
    if not is_given("--json"):
        return
    if to_stdout:
        print_json(value)
    elif sys.stderr is not None:
        sys.stderr.buffer.write(to_json(value))
        sys.stderr.flush()


def print_line(*lines: str) -> None:
    """Print lines to standard output as they are, in UTF-8.

    The bytes of file names that are not UTF-8 are printed as they are, too.
    """
    out = stdout()
    for line in lines:
        try:
            out.write(line.encode("utf-8", "surrogateescape") + b"\n")
        except UnicodeEncodeError:
            # Other lone surrogates, which a term may have.
            out.write(line.encode("utf-8", "backslashreplace") + b"\n")
    out.flush()


def print_findings(
    found: Sequence[Finding | LogFinding], title: str, columns: Sequence[str]
) -> None:
    """Print these attributes of findings, and exit with the status for them if there are any.

    A terminal gets a table, and a pipe a line for each finding, with tabs and no headings, or in
    JSON.
    """
    rows = [[getattr(finding, name) for name in columns] for finding in found]
    if is_given("--json"):
        print_json_lines(dict(zip(columns, row, strict=True)) for row in rows)
    elif found and not is_terminal():
        for row in rows:
            print_line("\t".join("" if cell is None else _shown(str(cell)) for cell in row))
    elif found:
        print_table(title, columns, rows)
    else:
        print_line("No findings.")
    if found:
        raise Exit(Status.FINDINGS)


class _Console(Console):
    """A console that leaves it to the command what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        """Raise the `BrokenPipeError` that is being handled."""
        raise


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def console() -> Console:
    """Return the console for standard output."""
    width = None if is_terminal() else _UNBOUNDED
    return _Console(width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table.

    On a terminal, numbers are aligned to the right, with separators. If the terminal is so narrow
    that IRIs would be cut into pieces, each row has a line for each cell instead. A pipe gets the
    title, the headings and each row on a line, with tabs between the cells.

    Control characters are shown as escapes, and of long cells only the beginning.

    Args:
        title: the title.
        columns: the headings; if all are empty, they are not shown.
        rows: the cells of each row, which can be objects that rich shows.
    """
    out = console()
    cells = [*rows]
    if not is_terminal():
        rows = ([title], *([columns] if any(columns) else []), *cells)
        print_line(*("\t".join(_in_pipe(cell, out) for cell in row) for row in rows))
        return
    found = _table(title, columns, cells)
    options = out.options.update(width=_UNBOUNDED)
    if not any(columns) or out.measure(found, options=options).minimum <= out.width:
        out.print(found)
    else:
        _print_rows(out, title, columns, cells)


def _table(title: str, columns: Sequence[str], cells: Sequence[Sequence[object]]) -> Table:
    found = Table(
        show_header=any(columns),
        title=Text(_shown(title)),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
    )
    for place, column in enumerate(columns):
        numbers = all(row[place] is None or isinstance(row[place], (int, float)) for row in cells)
        found.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in cells:
        found.add_row(
            *(cell if isinstance(cell, ConsoleRenderable) else Text(_text(cell)) for cell in row)
        )
    return found


def _print_rows(
    out: Console, title: str, columns: Sequence[str], cells: Sequence[Sequence[object]]
) -> None:
    """Print each row with a line for each cell that is not empty, after its heading.

    The terminal itself folds a line that is too long, so that its content can be copied.
    """
    out.print(Text(_shown(title), "bold"), soft_wrap=True)
    width = max(map(len, columns)) + 2
    for row in cells:
        out.print()
        for column, cell in zip(columns, row, strict=True):
            line = Text.assemble((column.ljust(width), "bold"))
            if isinstance(cell, ConsoleRenderable):
                options = out.options.update(max_width=max(out.width - width, 1))
                for segment in out.render(cell, options):
                    line.append(segment.text.rstrip("\n"), segment.style)
            elif not (text := _text(cell)):
                continue
            else:
                line.append(text)
            out.print(line, soft_wrap=True)
    out.print()


def _in_pipe(cell: object, out: Console) -> str:
    """Return a cell as a program gets it: numbers without separators."""
    if isinstance(cell, ConsoleRenderable):
        segments = out.render(cell, out.options.update(max_width=_UNBOUNDED))
        return "".join(segment.text for segment in segments).rstrip("\n")
    if isinstance(cell, int) and not isinstance(cell, bool):
        return str(cell)
    return _text(cell)


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        return _shown(str(cell))
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.1f}"


def _shown(text: str) -> str:
    if len(text) > _LONGEST_CELL:
        text = f"{text[:_LONGEST_CELL]}…"
    # Control characters could control the terminal, or begin a line.
    return text if text.isprintable() else "".join(map(_shown_character, text))


def _shown_character(character: str) -> str:
    # Bytes of a file name that are not UTF-8 are printed as they are.
    if "\udc80" <= character <= "\udcff":
        return character
    return {"\t": "\\t", "\n": "\\n"}.get(character) or visible(character)
