"""`jelly-spark validate`: what is wrong with files, found while their rows are read once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

import click

from jelly_spark import patches
from jelly_spark.cli.arguments.files import Source, find_files
from jelly_spark.cli.arguments.reading import Reading, lenient_options
from jelly_spark.cli.command import Command
from jelly_spark.cli.commands.algebra import find_state
from jelly_spark.cli.terminal.output import print_findings
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.codec import PatchRow
from jelly_spark.errors import MalformedInputError
from jelly_spark.patches import Finding, Statement
from jelly_spark.patches.log_rows import group_patches
from jelly_spark.patches.rules import (
    END_WITHOUT_BEGIN,
    IRI_CHARACTERS,
    LANGUAGE_TAG,
    MISSING_DIRECTION,
    MISSING_LANGUAGE_TAG,
    NESTED_TRANSACTION,
    OPEN_TRANSACTION,
    TRIPLE_TERM_SUBJECT,
)
from jelly_spark.patches.statements import read_statements
from jelly_spark.patches.term_rules import BROKEN_RULES, TERM_COLUMNS
from jelly_spark.patches.validation import validate_alone
from jelly_spark.report.contents import LogFile

_COLUMNS = ("severity", "rule", "file", "patch", "tx", "seq", "message")

_TRANSACTION_RULES = {
    rule.name for rule in (NESTED_TRANSACTION, END_WITHOUT_BEGIN, OPEN_TRANSACTION)
}
# The rules about terms that strict reading of the syntaxes of RDF 1.2 applies.
_STRICT_RULES = (
    IRI_CHARACTERS,
    LANGUAGE_TAG,
    MISSING_DIRECTION,
    MISSING_LANGUAGE_TAG,
    TRIPLE_TERM_SUBJECT,
)

Watch: TypeAlias = Callable[[str, Iterator[PatchRow]], Iterator[PatchRow]]
"""Yields the rows of a patch, given the title of its file and its rows, and looks at them."""


@click.command(cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--base",
    metavar="STATE",
    help="A file of the statements before the patches, or a log, to find deletes of statements "
    "that it lacks and adds of those that it has.",
)
@lenient_options
def validate(files: tuple[str, ...], base: str | None, reading: Reading) -> None:
    """Check files, and print all findings with their places.

    Patch files are checked, in the order given, as one log against the rules of
    jelly_spark.patches.validate. A malformed file is a finding, too, and so is input that the
    specification of its format forbids although readers accept it. In N-Triples, N-Quads and the
    syntaxes of the format rdf, each term that RDF 1.2 does not allow is a finding. The exit status
    is 1 if there are findings, warnings included.

    Without --base, the state before the patches is empty if the first one has an id, no prev, and
    no delete of a statement that it has not added. Otherwise it is not known, and a delete is only
    a finding if the statement was deleted before. In a pipe, each finding is one line, with tabs
    between its columns.
    """
    sources = find_files(files, reading)
    before = None if base is None else find_state(base, reading)
    with ProgressBar() as progress:
        state = None if before is None else read_statements(progress.read(before))
        found, _ = check(sources, progress, state=state)
    errors = sum(finding.severity == "error" for finding in found)
    title = f"Errors: {errors:,}. Warnings: {len(found) - errors:,}."
    print_findings(found, title, _COLUMNS, files=[source.title for source in sources])


def check(
    sources: Sequence[Source],
    progress: ProgressBar,
    watch: Watch | None = None,
    *,
    state: set[Statement] | None = None,
) -> tuple[list[Finding], list[LogFile]]:
    """Check files, and return the findings, and the files of patches, in order.

    Files of patches are checked as one log. The findings of a file's format come after those of the
    rules.

    Args:
        sources: the files.
        progress: shows how far they have been read.
        watch: looks at the rows of patches.
        state: the statements before the patches; None if they are not known.
    """
    log = _LogOfFiles([source for source in sources if source.has_patches], progress, watch)
    rows = log.rows()
    broken = validate_alone(rows) if state is None else patches.validate(rows, state)
    found = [log.with_file(finding) for finding in broken]
    malformed = dict(log.malformed)
    # The rest of a malformed file is not read, so its last transaction may be closed there.
    last = {file.title: file.patches - 1 for file in log.files if file.title in malformed}
    found = [
        finding
        for finding in found
        if finding.rule != OPEN_TRANSACTION.name or finding.patch != last.get(finding.file or "")
    ]
    # Files whose transactions already have findings would get the same ones again.
    done = {finding.file for finding in found if finding.rule in _TRANSACTION_RULES}
    for source in sources:
        if source.title in malformed or source.title in done:
            continue
        # The patches of a pipe have been read.
        if source.is_pipe and source.has_patches:
            continue
        try:
            for _ in progress.read(source, strict=True):
                pass
        except MalformedInputError as error:
            in_terms = [] if source.is_pipe else [*_in_terms(source, progress)]
            found += in_terms
            if error.row not in [finding.seq for finding in in_terms]:
                malformed[source.title] = error
    # In the order of the files.
    titles = dict.fromkeys(source.title for source in sources)
    found += (_malformed(title, malformed[title]) for title in titles if title in malformed)
    return found, log.files


def _in_terms(source: Source, progress: ProgressBar) -> Iterator[Finding]:
    """Yield all terms of a file in a syntax of RDF 1.2 that strict reading refuses.

    Strict reading itself ends at the first one.
    """
    if not source.is_text:
        return
    with suppress(MalformedInputError):
        for row in progress.read(source):
            for column in TERM_COLUMNS["A"]:
                term = getattr(row, column)
                for rule, message in BROKEN_RULES[column][term] if term else ():
                    if rule in _STRICT_RULES:
                        place = (source.title, -1, None, None, row.seq)
                        yield Finding(rule.name, rule.severity, *place, message)


def _malformed(title: str, error: MalformedInputError) -> Finding:
    message = f"{error.place}: expected {error.expected}, found {error.found}"
    if error.hint is not None:
        message += f" ({error.hint})"
    return Finding("malformed", "error", title, -1, None, None, None, message)


class _LogOfFiles:
    """The rows of patch files as one log.

    Attributes:
        files: the files, complete once all rows have been read.
        malformed: the error of each malformed file, by its title.
    """

    def __init__(
        self, sources: Sequence[Source], progress: ProgressBar, watch: Watch | None
    ) -> None:
        self._sources = sources
        self._progress = progress
        self._watch = watch
        # The position in the log of the first patch of each file, and of the next patch.
        self._firsts: list[int] = []
        self._next = 0
        self.files: list[LogFile] = []
        self.malformed: dict[str, MalformedInputError] = {}

    def rows(self) -> Iterator[PatchRow]:
        """Yield the rows of all files, of malformed ones those before the error."""
        for source in self._sources:
            file = LogFile(source.title, 0, 0)
            self.files.append(file)
            self._firsts.append(self._next)
            try:
                for _, group in group_patches(self._progress.read(source)):
                    self._next += 1
                    file.patches += 1
                    rows = group if self._watch is None else self._watch(source.title, group)
                    for row in rows:
                        file.rows += 1
                        yield row
            except MalformedInputError as error:
                self.malformed[source.title] = error

    def with_file(self, finding: Finding) -> Finding:
        """Return a finding with the file that its position in the log is in."""
        place = bisect_right(self._firsts, finding.log_seq) - 1
        return finding._replace(file=self._sources[place].title)
