"""`jelly-spark validate`: what is wrong with files, found while their rows are read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain
from typing import NamedTuple, TypeAlias

import click

from jelly_spark.cli.arguments.files import Source, find_files
from jelly_spark.cli.arguments.reading import Reading, lenient_options
from jelly_spark.cli.command import Command
from jelly_spark.cli.commands.algebra import find_state
from jelly_spark.cli.terminal.output import print_findings
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.codec import PatchRow
from jelly_spark.core.transactions import is_transaction_error
from jelly_spark.errors import MalformedInputError
from jelly_spark.patches import Finding, Statement
from jelly_spark.patches.checks.rules import (
    END_WITHOUT_BEGIN,
    IRI_CHARACTERS,
    LANGUAGE_TAG,
    MISSING_DIRECTION,
    MISSING_LANGUAGE_TAG,
    NESTED_TRANSACTION,
    OPEN_TRANSACTION,
    TRIPLE_TERM_SUBJECT,
)
from jelly_spark.patches.checks.term_rules import BROKEN_RULES, TERM_COLUMNS
from jelly_spark.patches.checks.validation import validate_groups
from jelly_spark.patches.log_rows import group_patches
from jelly_spark.patches.statements import read_statements
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

Watch: TypeAlias = Callable[[str, Iterator[PatchRow], int, datetime | None], Iterator[PatchRow]]
"""Yields the rows of a patch, and looks at them: see `Figures.watch`."""


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
    between its columns. The column patch is the position of the patch in a log, and its ordinal in
    any other file; tx and seq are ordinals in the file.
    """
    sources = find_files(files, reading)
    before = None if base is None else find_state(base, reading)
    with ProgressBar() as progress:
        state = None if before is None else read_statements(progress.read(before))
        found, _ = check(sources, progress, state=state)
    errors = sum(finding.severity == "error" for finding in found)
    title = f"Errors: {errors:,}. Warnings: {len(found) - errors:,}."
    print_findings(found, title, _COLUMNS)


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
    broken = validate_groups(log.patches(), state)
    found = [log.placed(finding) for finding in broken if not log.is_cut(finding)]
    malformed = dict(log.malformed)
    # Files whose transactions already have findings would get the same ones again.
    done = {finding.file for finding in found if finding.rule in _TRANSACTION_RULES}
    for source in sources:
        if source.title in malformed:
            continue
        # The patches of a pipe have been read.
        if source.is_pipe and source.has_patches:
            continue
        try:
            for _ in progress.read(source, strict=True):
                pass
        except MalformedInputError as error:
            if source.title in done and is_transaction_error(error):
                continue
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
    if source.has_patches or not source.format.reader_class.is_text:
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


class _Place(NamedTuple):
    """Where a patch is.

    Attributes:
        file: the title of its file.
        number: its position in the log; of a file that belongs to none, its ordinal in the file.
        log_seq: its position in the log that all files are.
    """

    file: str
    number: int
    log_seq: int


class _LogOfFiles:
    """The patches of files as one log.

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
        # The position of the next patch.
        self._next = first_of(sources)
        self._places: list[_Place] = []
        # The indexes of the patches that an error cuts off.
        self._cut: set[int] = set()
        self.files: list[LogFile] = []
        self.malformed: dict[str, MalformedInputError] = {}

    def patches(self) -> Iterator[Iterator[PatchRow]]:
        """Yield the rows of each patch of all files, of malformed files those before the error."""
        for source in self._sources:
            file = LogFile(source.title, 0, 0)
            self.files.append(file)
            missing = dict(source.versions or {})
            try:
                for _, group in group_patches(self._progress.read(source)):
                    begin = next(group)
                    ordinal = begin.patch
                    assert ordinal is not None, "readers number patches"
                    if source.versions is not None and ordinal not in source.versions:
                        # It has expired.
                        file.rows += 1 + sum(1 for _ in group)
                        continue
                    version = missing.pop(ordinal, None)
                    number = ordinal if version is None else version.log_seq
                    self._places.append(_Place(source.title, number, self._next))
                    if not file.patches:
                        file.first = self._next - ordinal
                    file.patches += 1
                    self._next += 1
                    rows = chain([begin], group)
                    yield self._rows(file, rows, None if version is None else version.time)
            except MalformedInputError as error:
                self.malformed[source.title] = error
            # Patches of a log that cannot be read keep their positions.
            file.patches += len(missing)
            self._next += len(missing)

    def _rows(
        self, file: LogFile, group: Iterator[PatchRow], time: datetime | None
    ) -> Iterator[PatchRow]:
        """Yield the rows of a patch, up to an error."""
        place = len(self._places) - 1
        log_seq = self._places[place].log_seq
        rows = group if self._watch is None else self._watch(file.title, group, log_seq, time)
        try:
            for row in rows:
                file.rows += 1
                yield row
        except MalformedInputError as error:
            self.malformed[file.title] = error
            self._cut.add(place)

    def is_cut(self, finding: Finding) -> bool:
        """Return whether the transaction that is found to be open may be closed after an error."""
        return finding.rule == OPEN_TRANSACTION.name and finding.log_seq in self._cut

    def placed(self, finding: Finding) -> Finding:
        """Return a finding of a patch with the place of the patch."""
        file, number, log_seq = self._places[finding.log_seq]
        return finding._replace(file=file, patch=number, log_seq=log_seq)


def first_of(sources: Sequence[Source]) -> int:
    """Return the position of the first patch, if the files are those of one log; else 0."""
    found = [version.log_seq for source in sources for version in (source.versions or {}).values()]
    is_one_log = found and all(source.versions is not None for source in sources)
    return found[0] if is_one_log and found == [*range(found[0], found[0] + len(found))] else 0
