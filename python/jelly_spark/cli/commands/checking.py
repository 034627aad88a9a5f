"""Checking files: the findings of `validate`, computed while the rows are read once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from jelly_spark import patches
from jelly_spark.cli.arguments.files import Source
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.codec import PatchRow
from jelly_spark.errors import MalformedInputError
from jelly_spark.patches import Finding
from jelly_spark.patches.log_rows import group_patches
from jelly_spark.patches.rules import END_WITHOUT_BEGIN, NESTED_TRANSACTION, OPEN_TRANSACTION

_TRANSACTION_RULES = {
    rule.name for rule in (NESTED_TRANSACTION, END_WITHOUT_BEGIN, OPEN_TRANSACTION)
}

Watch: TypeAlias = Callable[[str, Iterator[PatchRow]], Iterator[PatchRow]]
"""Yields the rows of a patch, given the title of its file and its rows, and looks at them."""


class FileSize(NamedTuple):
    """How many patches and rows a file of patches has, up to an error in it."""

    title: str
    patches: int
    rows: int


def check(
    sources: Sequence[Source], progress: ProgressBar, watch: Watch | None = None
) -> tuple[list[Finding], list[FileSize]]:
    """Check files, and return the findings, and the sizes of the files of patches, in order.

    The findings of a file's format come after those of the rules.

    Args:
        sources: the files; those of patches are checked as one log.
        progress: shows how far they have been read.
        watch: looks at the rows of each patch.
    """
    log = _LogOfFiles([source for source in sources if source.has_patches], progress, watch)
    found = [log.with_file(finding) for finding in patches.validate(log.rows())]
    malformed = dict(log.malformed)
    # The rest of a malformed file is not read, so its last transaction may be closed there.
    last = {size.title: size.patches - 1 for size in log.sizes() if size.title in malformed}
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
            malformed[source.title] = error
    # In the order of the files.
    titles = dict.fromkeys(source.title for source in sources)
    found += (_malformed(title, malformed[title]) for title in titles if title in malformed)
    return found, log.sizes()


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
        watch: looks at the rows of each patch.

    Attributes:
        malformed: the error of each malformed file, by its title.
    """

    def __init__(
        self, sources: Sequence[Source], progress: ProgressBar, watch: Watch | None
    ) -> None:
        self._sources = sources
        self._progress = progress
        self._watch = watch
        # The position in the log of the first patch of each file, and of its first row.
        self._firsts: list[tuple[int, int]] = []
        self._patches = self._rows = 0
        self.malformed: dict[str, MalformedInputError] = {}

    def rows(self) -> Iterator[PatchRow]:
        """Yield the rows of all files, of malformed ones those before the error."""
        for source in self._sources:
            self._firsts.append((self._patches, self._rows))
            try:
                for _, group in group_patches(self._progress.read(source)):
                    self._patches += 1
                    rows = group if self._watch is None else self._watch(source.title, group)
                    for row in rows:
                        self._rows += 1
                        yield row
            except MalformedInputError as error:
                self.malformed[source.title] = error

    def with_file(self, finding: Finding) -> Finding:
        """Return a finding with the file that its position in the log is in."""
        place = bisect_right(self._firsts, finding.log_seq, key=lambda first: first[0]) - 1
        return finding._replace(file=self._sources[place].title)

    def sizes(self) -> list[FileSize]:
        """Return the sizes of the files, after all rows have been read."""
        ends = [*self._firsts, (self._patches, self._rows)][1:]
        return [
            FileSize(source.title, end[0] - first[0], end[1] - first[1])
            for source, first, end in zip(self._sources, self._firsts, ends, strict=True)
        ]
