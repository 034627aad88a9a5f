"""`jelly-spark report`: a page of HTML about a log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing

import click

from jelly_spark.cli.arguments.files import (
    STANDARD,
    Source,
    find_sources,
    refuse_inputs,
    refuse_inside,
    stdout,
)
from jelly_spark.cli.arguments.reading import Reading, lenient_options
from jelly_spark.cli.command import Command
from jelly_spark.cli.commands.validate import check
from jelly_spark.cli.terminal.output import report_json
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.core.files.output_file import OutputFile
from jelly_spark.core.files.paths import is_url
from jelly_spark.log.files import OWN, Files
from jelly_spark.log.in_python import PythonStore
from jelly_spark.log.patch_files import format_of
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
    order given. As in validate, the statements of the last state are held in memory. Findings do
    not change the exit status.
    """
    sources = find_sources([*_files_of(logs)], reading, "patches")
    for source in sources:
        if source.is_pipe:
            raise click.UsageError(f"{source.title} must be a file, because files are read twice")
    refuse_inputs(output, sources)
    for name in logs:
        if not is_url(name) and os.path.isdir(name):
            refuse_inside(output, os.path.join(name, OWN))
    figures = Figures()
    with ProgressBar() as progress:
        findings, files = check(sources, progress, figures.watch)
        figures.chain.close()
        found = Report(title_of(logs), figures, files, findings)
        found.read_rows(lambda number: closing(progress.read(sources[number])))
    _write(output, page(found).encode())
    _report(found, sources, output)


def _files_of(names: Sequence[str]) -> Iterator[str]:
    """Yield the names of the files, in place of the folders that have them."""
    for name in names:
        if os.path.isdir(name) or (is_url(name) and format_of(name.rpartition("/")[2]) is None):
            files = Files(name)
            found = PythonStore(files).names()
            if not found:
                raise click.UsageError(f"{name} has no files of patches")
            # Of a local folder, as it is named, so that the page does not name other folders.
            yield from (files.path(f) if is_url(name) else os.path.join(name, f) for f in found)
        else:
            yield name


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
