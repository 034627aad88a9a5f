"""`jelly-spark cat` and `head`: the rows of a file, as text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import click

from jelly_spark.cli.arguments.files import Source, find_source, find_sources, stdout
from jelly_spark.cli.arguments.reading import Reading, read_options
from jelly_spark.cli.command import Command, is_given
from jelly_spark.cli.terminal.output import to_json
from jelly_spark.core.rows import PatchRow, describe_row, without_deleted_iri
from jelly_spark.errors import InvalidTermError, JellySparkError, UnwritableRowError
from jelly_spark.formats.rdf_patch.jena_style_encoder import format_row
from jelly_spark.lines.writer import format_line

_RANGE = re.compile(r"(\d{0,18})(:?)(\d{0,18})")
_HELP = (
    "Only {}: A:B, from A to before B, counted from 0; A:, :B, or A alone. A file that ends before "
    "A is an error."
)

_EXAMPLES = """\b
Examples:
  jelly-spark {0} changes.jellyp
  jelly-spark {0} changes.jellyp --patch 10:12
  jelly-spark {0} data.jelly --json
"""


class _RangeType(click.ParamType[range]):
    """The type of an option whose value is a range: `A:B`, `A:`, `:B`, or `A` for that one."""

    name = "A:B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        """Return the range."""
        if isinstance(value, range):
            return value
        match = _RANGE.fullmatch(value)
        if match is None or value == "":
            self.fail(f"{value!r} is not a range: write A:B, A:, :B or A", param, ctx)
        first, colon, last = match.groups()
        start = int(first or 0)
        if not colon:
            return range(start, start + 1)
        end = int(last) if last else sys.maxsize
        if end < start:
            self.fail(f"{value!r} is not a range: {end} comes before {start}", param, ctx)
        return range(start, end)


def _range_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, column, what in (
        ("--rows", "seq", "these rows"),
        ("--tx", "tx", "rows of these transactions"),
        ("--patch", "patch", "rows of these patches"),
    ):
        command = click.option(name, column, type=_RangeType(), help=_HELP.format(what))(command)
    return command


@click.command(cls=Command, epilog=_EXAMPLES.format("cat"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@read_options
@_range_options
def cat(files: tuple[str, ...], reading: Reading, **ranges: range | None) -> None:
    """Print the rows of files, as RDF Patch or N-Quads.

    With --json, each row is a line of JSON, with its ordinals.
    """
    for source in find_sources(files, reading):
        _print(source, ranges, None)


@click.command(cls=Command, epilog=_EXAMPLES.format("head"))
@click.argument("file", metavar="FILE")
@click.option(
    "-n", "count", type=click.IntRange(0), default=10, show_default=True, help="How many rows."
)
@read_options
@_range_options
def head(file: str, count: int, reading: Reading, **ranges: range | None) -> None:
    """Print the first rows of a file, as RDF Patch or N-Quads.

    With --json, each row is a line of JSON, with its ordinals.
    """
    _print(find_source(file, reading), ranges, count)


def _print(source: Source, ranges: dict[str, range | None], count: int | None) -> None:
    given = {column: found for column, found in ranges.items() if found is not None}
    if not source.has_patches and given.keys() - {"seq"}:
        raise click.UsageError(
            f"{source.title} holds statements, not patches: --patch and --tx select nothing there"
        )
    line = _json_line if is_given("--json") else _text_line(source)
    out = stdout()
    with source.open() as reader:
        rows = _select_rows(reader, given, source.title)
        for row in islice(rows, None if count is None else min(count, sys.maxsize)):
            out.write(line(row))
    out.flush()


def _select_rows(rows: Iterable[Any], ranges: dict[str, range], title: str) -> Iterator[Any]:
    """Yield the rows whose ordinals are in all ranges; stop reading after the last of them.

    Args:
        rows: the rows of a file, in order.
        ranges: the range of each column: `patch`, `tx` or `seq`. A row outside transactions is in
            no range of `tx`.
        title: the name of the file for messages.

    Raises:
        JellySparkError: a range begins after the end of the file, or, in a log, ends before the
            first patch.
    """
    columns = [(column, found.start, found.stop) for column, found in ranges.items()]
    # The first and the last ordinal of each column.
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for row in rows:
        is_selected = True
        for column, start, end in columns:
            ordinal = getattr(row, column)
            if ordinal is None:
                is_selected = False
                continue
            # The ordinals of a column never decrease.
            if ordinal >= end:
                if column not in first and start < end:
                    raise _no_such(title, column, start, f"the first is {ordinal}")
                return
            first.setdefault(column, ordinal)
            last[column] = ordinal
            is_selected = is_selected and ordinal >= start
        if is_selected:
            yield row
    for column, start, end in columns:
        following = last.get(column, -1) + 1
        # What follows the last one may be asked for: `A:`, to see what is new.
        if start > following or (start == following and end == start + 1):
            count = following - first.get(column, following)
            numbers = f", numbered from {first[column]}" if count else ""
            raise _no_such(title, column, start, f"it has {count:,}{numbers}")


def _no_such(title: str, column: str, number: int, what: str) -> JellySparkError:
    name = {"seq": "row", "tx": "transaction"}.get(column, column)
    return JellySparkError(f"{title} has no {name} {number}: {what}")


def _json_line(row: Any) -> bytes:
    return to_json({name: value for name, value in row._asdict().items() if value is not None})


def _patch_line(row: PatchRow) -> str:
    return format_row(without_deleted_iri(row))


def _text_line(source: Source) -> Callable[[Any], bytes]:
    # Not the formats' writers, which refuse transactions that a range cuts off.
    format = _patch_line if source.has_patches else partial(format_line, has_graphs=True)

    def text_line(row: Any) -> bytes:
        try:
            return format(row).encode()
        except (InvalidTermError, UnwritableRowError) as error:
            rule = f"{error} (--json prints every row)"
            raise UnwritableRowError(rule, describe_row(row)) from None

    return text_line
