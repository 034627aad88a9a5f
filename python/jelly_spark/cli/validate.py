"""`jelly-spark validate`: what is wrong with files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import click

from jelly_spark import patches
from jelly_spark.cli.commands import Command
from jelly_spark.cli.exits import Status
from jelly_spark.cli.files import STANDARD, Source, find_sources, from_option
from jelly_spark.cli.output import console, print_json, table
from jelly_spark.cli.progress import ProgressBar
from jelly_spark.cli.reading import Reading, limit_options
from jelly_spark.codec import PatchRow
from jelly_spark.errors import MalformedInputError
from jelly_spark.patches import Finding
from jelly_spark.patches.log_rows import group_patches
from jelly_spark.patches.rules import END_WITHOUT_BEGIN, NESTED_TRANSACTION, OPEN_TRANSACTION

_COLUMNS = ("severity", "rule", "file", "patch", "tx", "seq", "message")

_TRANSACTION_RULES = {
    rule.name for rule in (NESTED_TRANSACTION, END_WITHOUT_BEGIN, OPEN_TRANSACTION)
}


@click.command(cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@from_option
@limit_options
@click.pass_context
def validate(
    context: click.Context,
    files: tuple[str, ...],
    source_format: str | None,
    reading: Reading,
    as_json: bool,
) -> None:
    """Check files, and print all findings with their places.

    Patch files are checked, in the order given, as one log against the rules of
    jelly_spark.patches.validate. A malformed file is a finding, too, and so is input that the
    specification of its format forbids although readers accept it. The exit status is 1 if there
    are findings, warnings included.
    """
    sources = find_sources(files, source_format, reading)
    found = _check(sources)
    if as_json:
        findings = [{name: getattr(finding, name) for name in _COLUMNS} for finding in found]
        print_json({"files": [source.title for source in sources], "findings": findings})
    else:
        rows = ([getattr(finding, name) for name in _COLUMNS] for finding in found)
        if found:
            console().print(table(_title(found), _COLUMNS, rows))
        else:
            console().print("No findings.")
    context.exit(Status.FINDINGS if found else Status.DONE)


def _title(found: Sequence[Finding]) -> str:
    errors = sum(finding.severity == "error" for finding in found)
    return f"Errors: {errors:,}. Warnings: {len(found) - errors:,}."


def _check(sources: Sequence[Source]) -> list[Finding]:
    """Return the findings of all files; those of a file's format come after those of the rules."""
    with ProgressBar() as progress:
        log = _LogOfFiles([source for source in sources if source.has_patches], progress)
        found = [log.with_file(finding) for finding in patches.validate(log.rows())]
        malformed = dict(log.malformed)
        # Files whose transactions already have findings would get the same ones again.
        done = {finding.file for finding in found if finding.rule in _TRANSACTION_RULES}
        for source in sources:
            if source.title in malformed or source.title in done:
                continue
            # Standard input can be read only once; that of patches has been read.
            if source.name == STANDARD and source.has_patches:
                continue
            try:
                with source.open(strict=True) as reader:
                    for _ in progress.rows(source, reader):
                        pass
            except MalformedInputError as error:
                malformed[source.title] = error
    # In the order of the files.
    titles = dict.fromkeys(source.title for source in sources)
    found += (_malformed(title, malformed[title]) for title in titles if title in malformed)
    return found


def _malformed(title: str, error: MalformedInputError) -> Finding:
    message = f"{error.place}: expected {error.expected}, found {error.found}"
    if error.hint is not None:
        message += f" ({error.hint})"
    return Finding("malformed", "error", title, -1, None, None, None, message)


class _LogOfFiles:
    """The rows of patch files as one log.

    Args:
        sources: the files.
        progress: shows how far they have been read.

    Attributes:
        malformed: the error of each malformed file, by its title.
    """

    def __init__(self, sources: Sequence[Source], progress: ProgressBar) -> None:
        self._sources = sources
        self._progress = progress
        # The position in the log of the first patch of each file.
        self._firsts: list[int] = []
        self.malformed: dict[str, MalformedInputError] = {}

    def rows(self) -> Iterator[PatchRow]:
        """Yield the rows of all files, of malformed ones those before the error."""
        patches = 0
        for source in self._sources:
            self._firsts.append(patches)
            try:
                with source.open() as reader:
                    rows: Any = self._progress.rows(source, reader)
                    for _, group in group_patches(rows):
                        patches += 1
                        yield from group
            except MalformedInputError as error:
                self.malformed[source.title] = error

    def with_file(self, finding: Finding) -> Finding:
        """Return a finding with the file that its position in the log is in."""
        place = bisect_right(self._firsts, finding.log_seq) - 1
        return finding._replace(file=self._sources[place].title)
