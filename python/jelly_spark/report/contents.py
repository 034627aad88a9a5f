"""What a report holds: the figures, the findings, and the rows that these concern."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import MalformedInputError
from jelly_spark.patches import Finding
from jelly_spark.report.figures import Figures
from jelly_spark.report.html import cut

FINDINGS = 200
"""How many findings a page shows."""

ROWS = 2000
"""The largest number of rows of all excerpts together."""

_AROUND = 3
_BEGINNING = 10
_RUN_BEGINNING = 4


class ShownRow(NamedTuple):
    """A row of an excerpt.

    Attributes:
        seq: the 0-based ordinal of the row in its file.
        patch: the position of its patch in the log.
        op: its code.
        text: its other columns, separated by spaces.
    """

    seq: int
    patch: int | None
    op: str
    text: str


class Selection:
    """The rows to show of several files.

    Attributes:
        left_out: the number of ranges that did not fit.
    """

    def __init__(self) -> None:
        self.left_out = 0
        self._free = ROWS
        self._rows: dict[int, set[int]] = {}

    def add(self, file: int, start: int, end: int) -> None:
        """Select the rows of a file from `start` to before `end`, all or none of them."""
        there = self._rows.setdefault(file, set())
        new = [seq for seq in range(max(start, 0), end) if seq not in there]
        if len(new) > self._free:
            self.left_out += 1
            return
        self._free -= len(new)
        there.update(new)

    def ranges(self, file: int) -> list[range]:
        """Return the selected rows of a file as disjoint ranges, in order."""
        found: list[range] = []
        for seq in sorted(self._rows.get(file, ())):
            if found and found[-1].stop == seq:
                found[-1] = range(found[-1].start, seq + 1)
            else:
                found.append(range(seq, seq + 1))
        return found


@dataclass
class LogFile:
    """A file of a log.

    Attributes:
        title: the name of the file.
        patches: the number of its patches.
        rows: the number of its rows.
        first: the position in the log of the patch with the ordinal 0 in the file.
        excerpts: the rows to show, in lists of consecutive ones.
    """

    title: str
    patches: int
    rows: int
    first: int = 0
    excerpts: list[list[ShownRow]] = field(default_factory=list)


@dataclass
class Report:
    """What a page shows.

    Attributes:
        title: the name of the log.
        figures: its figures.
        files: its files, in order.
        findings: what `validate` found.
        places: for each finding, the position of its file in `files`, and the `seq` of its row;
            None if it has no row.
        left_out: how many of the places with rows to show did not fit on the page.
    """

    title: str
    figures: Figures
    files: list[LogFile]
    findings: list[Finding]
    places: list[tuple[int, int] | None] = field(init=False)
    left_out: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._firsts = []
        patches = self.figures.first
        for file in self.files:
            self._firsts.append(patches)
            patches += file.patches
        self._titles = {file.title: n for n, file in reversed([*enumerate(self.files)])}
        self.places = [self._place(finding) for finding in self.findings]

    def file_of(self, place: int) -> int:
        """Return the position in `files` of the file with the patch at a position in the log."""
        return bisect_right(self._firsts, place) - 1

    def _place(self, finding: Finding) -> tuple[int, int] | None:
        if finding.seq is not None:
            return self.file_of(finding.log_seq), finding.seq
        # The file is malformed, after its last row.
        file = self._titles.get(finding.file or "")
        if file is None or not self.files[file].rows:
            return None
        return file, self.files[file].rows - 1

    def read_rows(
        self, open_file: Callable[[int], AbstractContextManager[Iterator[PatchRow]]]
    ) -> None:
        """Read the rows to show. The function opens the file at a position in `files`."""
        selection = self._select()
        for number, file in enumerate(self.files):
            if ranges := selection.ranges(number):
                with open_file(number) as rows:
                    file.excerpts = read_excerpts(rows, ranges, file.first)
        self.left_out = selection.left_out

    def _select(self) -> Selection:
        """Select the rows around findings, and those at the beginnings of patches that are named.

        So that neither leaves no room for the other, findings come last: there can be many.
        """
        found = Selection()
        figures = self.figures
        starts = [(patch.place, patch.seq, _BEGINNING) for patch in figures.largest]
        starts += [(patch.place, patch.seq, _BEGINNING) for patch in figures.aborted_patches]
        starts += [(run.first, run.seq, _RUN_BEGINNING) for run in figures.chain.runs]
        for place, seq, count in starts:
            if seq is not None:
                file = self.file_of(place)
                found.add(file, seq, min(seq + count, self.files[file].rows))
        for spot in self.places[:FINDINGS]:
            if spot is not None:
                file, seq = spot
                end = min(seq + _AROUND + 1, self.files[file].rows)
                found.add(file, seq - _AROUND, end)
        return found


def read_excerpts(
    rows: Iterable[PatchRow], ranges: list[range], first: int = 0
) -> list[list[ShownRow]]:
    """Return the rows of a file that are in some ranges, a list for each of them.

    Args:
        rows: the rows of the file. They are read up to the last range, or to an error in them.
        ranges: disjoint ranges of their ordinals `seq`, in order.
        first: the position in the log of the first patch of the file.
    """
    found: list[list[ShownRow]] = [[] for _ in ranges]
    place = 0
    try:
        for row in rows:
            seq = row.seq
            assert seq is not None, "readers number rows"
            while place < len(ranges) and seq >= ranges[place].stop:
                place += 1
            if place == len(ranges):
                break
            if seq >= ranges[place].start:
                patch = None if row.patch is None else first + row.patch
                found[place].append(ShownRow(seq, patch, row.op, _text(row)))
    except MalformedInputError:
        # It is one of the findings.
        pass
    return found


def _text(row: PatchRow) -> str:
    columns = (row.name, row.value, row.subject, row.predicate, row.object, row.graph)
    return cut(" ".join(column for column in columns if column is not None))


def title_of(names: Sequence[str]) -> str:
    """Return the title of a report on some files or folders."""
    if len(names) <= 3:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1:,} more"
