"""`jelly-spark validate`: what is wrong with files."""

from __future__ import annotations

from collections.abc import Sequence

import click

from jelly_spark.cli.arguments.files import find_sources
from jelly_spark.cli.arguments.reading import Reading, lenient_options
from jelly_spark.cli.command import Command
from jelly_spark.cli.commands.checking import check
from jelly_spark.cli.exits import Status
from jelly_spark.cli.terminal.output import console, print_json, print_line, table
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.patches import Finding

_COLUMNS = ("severity", "rule", "file", "patch", "tx", "seq", "message")


@click.command(cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@lenient_options
@click.pass_context
def validate(
    context: click.Context,
    files: tuple[str, ...],
    reading: Reading,
    as_json: bool,
) -> None:
    """Check files, and print all findings with their places.

    Patch files are checked, in the order given, as one log against the rules of
    jelly_spark.patches.validate. A malformed file is a finding, too, and so is input that the
    specification of its format forbids although readers accept it. The exit status is 1 if there
    are findings, warnings included.
    """
    sources = find_sources(files, reading)
    with ProgressBar() as progress:
        found, _ = check(sources, progress)
    if as_json:
        findings = [{name: getattr(finding, name) for name in _COLUMNS} for finding in found]
        print_json({"files": [source.title for source in sources], "findings": findings})
    else:
        rows = ([getattr(finding, name) for name in _COLUMNS] for finding in found)
        if found:
            console().print(table(_title(found), _COLUMNS, rows))
        else:
            print_line("No findings.")
    context.exit(Status.FINDINGS if found else Status.DONE)


def _title(found: Sequence[Finding]) -> str:
    errors = sum(finding.severity == "error" for finding in found)
    return f"Errors: {errors:,}. Warnings: {len(found) - errors:,}."
