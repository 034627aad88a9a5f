"""The adds and deletes of a log over its patches, in a bounded number of steps."""

from __future__ import annotations

from dataclasses import dataclass

STEPS = 512
"""The largest number of steps."""


@dataclass
class Step:
    """Consecutive patches.

    Attributes:
        patches: the number of patches.
        adds: the statements that they add.
        deletes: the statements that they delete.
        aborted: the number of patches with an aborted or open transaction.
    """

    patches: int
    adds: int
    deletes: int
    aborted: int


class Timeline:
    """The adds and deletes of patches, in their order.

    Each step is one patch, until there are more than `limit` patches. Then two steps become one,
    and so on.

    Args:
        limit: the largest number of steps, an even number.

    Attributes:
        steps: the steps.
        width: the number of patches of each step but the last, which may have fewer.
    """

    def __init__(self, limit: int = STEPS) -> None:
        self.steps: list[Step] = []
        self.width = 1
        self._limit = limit

    def add(self, adds: int, deletes: int, *, aborted: bool) -> None:
        """Add the next patch."""
        if not self.steps or self.steps[-1].patches == self.width:
            if len(self.steps) == self._limit:
                pairs = zip(self.steps[::2], self.steps[1::2], strict=True)
                self.steps = [_joined(first, second) for first, second in pairs]
                self.width *= 2
            self.steps.append(Step(0, 0, 0, 0))
        self.steps[-1] = _joined(self.steps[-1], Step(1, adds, deletes, aborted))


def _joined(first: Step, second: Step) -> Step:
    return Step(
        first.patches + second.patches,
        first.adds + second.adds,
        first.deletes + second.deletes,
        first.aborted + second.aborted,
    )
