"""The figures of a log: what its patches add and delete, and how they follow each other."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.transactions import TRANSACTION_OPS, TransactionState
from jelly_spark.patches.log_rows import Headers, group_patches
from jelly_spark.report.chain import Chain
from jelly_spark.report.top_terms import Change, TopTerms

TOP = 20
"""How many patches a list of the largest or the first ones has."""

STEPS = 512
"""The largest number of steps of a timeline, an even number."""


class PatchFigures(NamedTuple):
    """The figures of a patch.

    Attributes:
        place: the 0-based position of the patch in the log.
        file: the file of the patch.
        patch: the 0-based ordinal of the patch in its file.
        seq: the ordinal of its first row in its file.
        id: its header `id`.
        message: its header `message`, a term.
        adds: the statements that it adds, in committed transactions and outside transactions.
        deletes: the statements that it deletes, likewise.
        aborted: the number of its aborted transactions.
        not_effective: the adds and deletes in transactions that are aborted or open.
        time: when the patch was appended to its log, if that is known.
    """

    place: int
    file: str | None
    patch: int | None
    seq: int | None
    id: str | None
    message: str | None
    adds: int
    deletes: int
    aborted: int
    not_effective: int
    time: datetime | None = None

    @property
    def changes(self) -> int:
        """The number of adds and deletes that have an effect."""
        return self.adds + self.deletes


@dataclass
class Step:
    """Consecutive patches.

    Attributes:
        patches: the number of patches.
        adds: the statements that they add.
        deletes: the statements that they delete.
        aborted: the number of patches with an aborted or open transaction.
        time: when the first of them was appended whose time is known.
    """

    patches: int
    adds: int
    deletes: int
    aborted: int
    time: datetime | None = None


class Timeline:
    """The adds and deletes of patches, in their order.

    Each step is one patch, until there are more than `STEPS` patches. Then two steps become one,
    and so on.

    Args:
        first: the position of the first patch.

    Attributes:
        first: the position of the first patch.
        steps: the steps.
        width: the number of patches of each step but the last, which may have fewer.
    """

    def __init__(self, first: int = 0) -> None:
        self.first = first
        self.steps: list[Step] = []
        self.width = 1

    def add(self, adds: int, deletes: int, *, aborted: bool, time: datetime | None = None) -> None:
        """Add the next patch."""
        if not self.steps or self.steps[-1].patches == self.width:
            if len(self.steps) == STEPS:
                pairs = zip(self.steps[::2], self.steps[1::2], strict=True)
                self.steps = [_joined(first, second) for first, second in pairs]
                self.width *= 2
            self.steps.append(Step(0, 0, 0, 0))
        self.steps[-1] = _joined(self.steps[-1], Step(1, adds, deletes, aborted, time))


def _joined(first: Step, second: Step) -> Step:
    return Step(
        first.patches + second.patches,
        first.adds + second.adds,
        first.deletes + second.deletes,
        first.aborted + second.aborted,
        first.time or second.time,
    )


class Changes:
    """Counts adds and deletes of statements, and which terms these have.

    Attributes:
        adds: the number of adds.
        deletes: the number of deletes.
        predicates: the changes by predicate.
        graphs: the changes by graph.
        subjects: the changes by subject.
    """

    def __init__(self) -> None:
        self.adds = self.deletes = 0
        self.predicates = TopTerms()
        self.graphs = TopTerms()
        self.subjects = TopTerms()

    def add(self, change: Change, row: PatchRow) -> None:
        """Count an `A` or `D` row."""
        if change == "A":
            self.adds += 1
        else:
            self.deletes += 1
        self.predicates.add(change, row.predicate)
        self.graphs.add(change, row.graph)
        self.subjects.add(change, row.subject)

    def update(self, other: Changes) -> None:
        """Add the counts of others to these."""
        self.adds += other.adds
        self.deletes += other.deletes
        self.predicates.update(other.predicates)
        self.graphs.update(other.graphs)
        self.subjects.update(other.subjects)


class Figures(Changes):
    """The figures of a log, computed while its rows are read.

    Memory is bounded, but for the ids of the patches: terms are counted by `TopTerms`, patches by
    `Timeline`. The counted changes are those that take effect: changes in aborted and open
    transactions are counted apart.

    Args:
        top: how many patches `largest` and `aborted_patches` have.
        first: the position of the first patch in its log.

    Attributes:
        first: the position of the first patch.
        patches: the number of patches.
        rows: the number of rows.
        aborted: the number of aborted transactions.
        not_effective: the adds and deletes in transactions that are aborted or open.
        aborted_patches: the first patches with an aborted or open transaction.
        aborted_patch_count: the number of all such patches.
        timeline: the adds and deletes by patch.
        chain: the runs of the chain.
    """

    def __init__(self, top: int = TOP, first: int = 0) -> None:
        super().__init__()
        self.first = first
        self.patches = self.rows = self.aborted = self.not_effective = 0
        self.aborted_patches: list[PatchFigures] = []
        self.aborted_patch_count = 0
        self.timeline = Timeline(first)
        self.chain = Chain()
        # Of two equal patches, the first one counts more.
        self._largest: list[tuple[int, int, PatchFigures]] = []
        self._top = top

    @property
    def largest(self) -> list[PatchFigures]:
        """The patches with the most effective changes, the largest first."""
        return [found for _, _, found in sorted(self._largest, reverse=True)]

    def add_patches(self, rows: Iterable[PatchRow]) -> None:
        """Add all patches of some rows."""
        for _, group in group_patches(rows):
            for _ in self.watch(None, group):
                pass
        self.chain.close()

    def watch(
        self,
        file: str | None,
        rows: Iterable[PatchRow],
        place: int | None = None,
        time: datetime | None = None,
    ) -> Iterator[PatchRow]:
        """Yield the rows of the next patch, and add the patch when they end, also by an error.

        Args:
            file: the file of the patch.
            rows: its rows.
            place: its position, of which some may be left out before it; by default, the next one.
            time: when it was appended to its log, if that is known.
        """
        while place is not None and self.first + self.patches < place:
            self.patches += 1
            self.timeline.add(0, 0, aborted=False)
        adds, deletes = self.adds, self.deletes
        transaction = TransactionState[PatchRow]()
        changes: Changes = self
        first: PatchRow | None = None
        headers = Headers()
        message: str | None = None
        aborted = not_effective = left = 0
        try:
            for row in rows:
                op = row.op
                first = first or row
                self.rows += 1
                if op == "A" or op == "D":
                    changes.add(op, row)
                elif op == "H":
                    headers = headers.after(row)
                    message = row.value if row.name == "message" else message
                elif op in TRANSACTION_OPS:
                    if transaction.begin is not None and op == "TC":
                        self.update(changes)
                    elif transaction.begin is not None:
                        not_effective += changes.adds + changes.deletes
                        left += 1
                    aborted += op == "TA"
                    transaction.move(op, row)
                    # What takes effect only with the TC is counted apart.
                    changes = self if transaction.begin is None else Changes()
                yield row
        finally:
            if transaction.begin is not None:
                not_effective += changes.adds + changes.deletes
                left += 1
            found = PatchFigures(
                self.first + self.patches,
                file,
                None if first is None else first.patch,
                None if first is None else first.seq,
                headers.id,
                message,
                self.adds - adds,
                self.deletes - deletes,
                aborted,
                not_effective,
                time,
            )
            self._add(found, headers.prev, is_aborted=left > 0)

    def _add(self, patch: PatchFigures, prev: str | None, *, is_aborted: bool) -> None:
        self.patches += 1
        self.aborted += patch.aborted
        self.not_effective += patch.not_effective
        self.timeline.add(patch.adds, patch.deletes, aborted=is_aborted, time=patch.time)
        self.chain.add(patch.place, patch.seq, patch.id, prev)
        heapq.heappush(self._largest, (patch.changes, -patch.place, patch))
        if len(self._largest) > self._top:
            heapq.heappop(self._largest)
        if is_aborted:
            self.aborted_patch_count += 1
            if len(self.aborted_patches) < self._top:
                self.aborted_patches.append(patch)
