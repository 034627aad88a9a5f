"""The chain of a log as runs: consecutive patches, each with the id of the one before as `prev`."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from typing import Literal, TypeAlias

from jelly_spark.patches.links import Link, Links

RUNS = 200
"""The largest number of runs that are kept."""

Begin: TypeAlias = Literal["start", "root", "gap", "fork", "order", "cycle", "unchained"]
"""How a run begins:

- `start`: the first patch of the log, and no patch has the id that its `prev` names, if any;
- `root`: another patch without `prev`;
- `gap`: no patch has the id that `prev` names;
- `fork`: another patch has the same `prev`;
- `order`: `prev` names a later patch, or an earlier one that is not the one before;
- `cycle`: `prev` names the patch itself, or one that follows it in the chain;
- `unchained`: patches without `id` and `prev`.
"""


@dataclass
class Run:
    """Consecutive patches of one chain.

    Attributes:
        begin: how the run begins.
        first: the 0-based position of its first patch in the log.
        last: the position of its last patch.
        first_id: the id of its first patch.
        last_id: the id of its last patch.
        prev: the `prev` of its first patch.
        parent: the position of the patch that `prev` names, if there is one.
        seq: the ordinal of the first row of its first patch in its file.
    """

    begin: Begin
    first: int
    last: int
    first_id: str | None
    last_id: str | None
    prev: str | None
    parent: int | None
    seq: int | None


class Chain:
    """The runs of a log. Memory grows with the number of its patches, as it keeps their ids.

    Attributes:
        runs: the first runs; complete after `close`.
        left_out: the number of runs that are not kept.
    """

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.left_out = 0
        self._links = Links()
        self._last: Run | None = None

    def add(self, place: int, seq: int | None, id: str | None, prev: str | None) -> None:
        """Add the next patch, whose first row has the ordinal `seq` in its file."""
        last, link = self._last, self._links.add(place, id, prev)
        if last is not None and _follows(last, id, prev, forks=link.sibling is not None):
            last.last, last.last_id = place, id
        else:
            begin = self._begin(id, prev, link)
            run = Run(begin, place, place, id, id, prev, link.parent, seq)
            self._last = run
            if len(self.runs) < RUNS:
                self.runs.append(run)
            else:
                self.left_out += 1

    def _begin(self, id: str | None, prev: str | None, link: Link) -> Begin:
        if id is None and prev is None:
            return "unchained"
        if self._last is None:
            return "start"
        if prev is None:
            return "root"
        if link.sibling is not None:
            return "fork"
        return "gap" if link.parent is None else "order"

    def close(self) -> None:
        """Look for parents among the patches that came later, and for cycles."""
        for run in self.runs:
            if run.parent is None and run.prev in self._links.places:
                run.parent = self._links.places[run.prev]
                if run.begin != "fork":
                    run.begin = "order"
        firsts = [run.first for run in self.runs]
        for run in self.runs:
            if self._is_in_cycle(run, firsts):
                run.begin = "cycle"

    def _is_in_cycle(self, run: Run, firsts: list[int]) -> bool:
        """Return whether the runs before a run, as `prev` has it, lead back to it."""
        before = run
        for _ in self.runs:
            if before.parent is None:
                return False
            before = self.runs[bisect(firsts, before.parent) - 1]
            if before is run:
                return True
        return False


def _follows(run: Run, id: str | None, prev: str | None, *, forks: bool) -> bool:
    if run.begin == "unchained":
        return id is None and prev is None
    return prev is not None and prev == run.last_id and not forks
