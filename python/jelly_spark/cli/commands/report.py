"""`jelly-spark report`: a page of HTML about a log."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing

import click

from jelly_spark.cli.arguments.files import (
    STANDARD,
    Source,
    find_files,
    refuse_inputs,
    refuse_inside,
    stdout,
)
from jelly_spark.cli.arguments.reading import Reading, lenient_options
from jelly_spark.cli.command import Command
from jelly_spark.cli.commands.validate import check, first_of
from jelly_spark.cli.terminal.output import report_json
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.core.files.output_file import OutputFile
from jelly_spark.core.files.paths import is_url
from jelly_spark.log.entries.files import OWN
from jelly_spark.report.contents import Report, title_of
from jelly_spark.report.figures import Figures
from jelly_spark.report.page import page


@click.command(cls=Command)
@click.argument("logs", metavar="LOG|FILE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="The file to write, such as report.html; - is standard output.",
)
@lenient_options
def report(logs: tuple[str, ...], output: str, reading: Reading) -> None:
    """Write a page of HTML about a log.

    The page shows the adds and deletes of each patch, the chain with its gaps and forks, the
    largest and the aborted patches, the terms that change most, and the findings of validate with
    the rows around them. It is one file, which loads nothing.

    A log is a folder, whose files are read in the order of the chain, or files of patches, in the
    order given. Patches have the numbers of their positions in it, and, if the log is a folder, the
    times when they were appended. As in validate, the statements of the last state are held in
    memory. Findings do not change the exit status.
    """
    sources = find_files(logs, reading, "patches")
    if not sources:
        raise click.UsageError(f"{logs[0]} has no files of patches")
    for source in sources:
        if source.is_pipe:
            raise click.UsageError(f"{source.title} must be a file, because files are read twice")
    refuse_inputs(output, sources)
    for name in logs:
        if not is_url(name) and os.path.isdir(name):
            refuse_inside(output, os.path.join(name, OWN))
    figures = Figures(first=first_of(sources))
    with ProgressBar() as progress:
        findings, files = check(sources, progress, figures.watch)
        figures.chain.close()
        found = Report(title_of(logs), figures, files, findings)
        found.read_rows(lambda number: closing(progress.read(sources[number])))
    _write(output, page(found).encode())
    _report(found, sources, output)


def _write(output: str, text: bytes) -> None:
    target = OutputFile(stdout() if output == STANDARD else output)
    try:
        target.stream.write(text)
        target.flush()
    except BaseException:
        target.discard()
        raise
    target.keep()


def _report(found: Report, sources: Sequence[Source], output: str) -> None:
    errors = sum(finding.severity == "error" for finding in found.findings)
    figures = found.figures
    value = {
        "files": [source.title for source in sources],
        "output": output,
        "patches": figures.patches,
        "adds": figures.adds,
        "deletes": figures.deletes,
        "aborted_transactions": figures.aborted,
        "changes_without_commit": figures.not_effective,
        "errors": errors,
        "warnings": len(found.findings) - errors,
    }
    report_json(value, to_stdout=output != STANDARD)
