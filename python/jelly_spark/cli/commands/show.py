"""`jelly-spark cat` and `head`: the rows of a file, as text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import click

from jelly_spark.cli.arguments.files import Source, find_source, find_sources, stdout
from jelly_spark.cli.arguments.ranges import Range, RangeType, select_rows
from jelly_spark.cli.arguments.reading import Reading, read_options
from jelly_spark.cli.command import Command
from jelly_spark.cli.terminal.output import to_json
from jelly_spark.core.rows import describe_row
from jelly_spark.errors import InvalidTermError, UnwritableRowError
from jelly_spark.formats.rdf_patch.jena_style_encoder import JenaStyleEncoder
from jelly_spark.lines.encoder import LineEncoder

_HELP = "Only {}: A:B, from A to before B, counted from 0; A:, :B, or A alone."

_EXAMPLES = """\b
Examples:
  jelly-spark {0} changes.jellyp
  jelly-spark {0} changes.jellyp --patch 10:12
  jelly-spark {0} data.jelly --json
"""


def _range_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, column, what in (
        ("--rows", "seq", "these rows"),
        ("--tx", "tx", "rows of these transactions"),
        ("--patch", "patch", "rows of these patches"),
    ):
        command = click.option(name, column, type=RangeType(), help=_HELP.format(what))(command)
    return command


@click.command(cls=Command, epilog=_EXAMPLES.format("cat"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@read_options
@_range_options
def cat(
    files: tuple[str, ...],
    reading: Reading,
    as_json: bool,
    **ranges: Range | None,
) -> None:
    """Print the rows of files, as RDF Patch or N-Quads.

    With --json, each row is a line of JSON, with its ordinals.
    """
    for source in find_sources(files, reading):
        _print(source, _given(source, ranges), None, as_json=as_json)


@click.command(cls=Command, epilog=_EXAMPLES.format("head"))
@click.argument("file", metavar="FILE")
@click.option(
    "-n", "count", type=click.IntRange(0), default=10, show_default=True, help="How many rows."
)
@read_options
@_range_options
def head(
    file: str,
    count: int,
    reading: Reading,
    as_json: bool,
    **ranges: Range | None,
) -> None:
    """Print the first rows of a file, as RDF Patch or N-Quads.

    With --json, each row is a line of JSON, with its ordinals.
    """
    source = find_source(file, reading)
    _print(source, _given(source, ranges), count, as_json=as_json)


def _given(source: Source, ranges: dict[str, Range | None]) -> dict[str, Range]:
    given = {column: found for column, found in ranges.items() if found is not None}
    if not source.has_patches and given.keys() - {"seq"}:
        raise click.UsageError(
            f"{source.title} holds statements, not patches: --patch and --tx select nothing there"
        )
    return given


def _print(source: Source, ranges: dict[str, Range], count: int | None, *, as_json: bool) -> None:
    line = _json_line if as_json else _text_line(source)
    out = stdout()
    with source.open() as reader:
        rows: Iterable[Any] = select_rows(reader, ranges)
        for row in islice(rows, None if count is None else min(count, sys.maxsize)):
            out.write(line(row))
    out.flush()


def _json_line(row: Any) -> bytes:
    return to_json({name: value for name, value in row._asdict().items() if value is not None})


def _text_line(source: Source) -> Callable[[Any], bytes]:
    # Not the formats' writers, which refuse transactions that a range cuts off.
    format = (
        JenaStyleEncoder().format if source.has_patches else LineEncoder(has_graphs=True).format
    )

    def text_line(row: Any) -> bytes:
        try:
            return format(row).encode()
        except (InvalidTermError, UnwritableRowError) as error:
            rule = f"{error} (--json prints every row)"
            raise UnwritableRowError(rule, describe_row(row)) from None

    return text_line
